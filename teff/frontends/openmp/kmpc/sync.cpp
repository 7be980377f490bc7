// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls for barriers, and for blocks that one thread executes.
#include <teff/frontends/openmp/core/regions/region.hpp>
#include <teff/frontends/openmp/core/worksharing/single.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>

#include <cstddef>

using namespace teff::openmp;
using kmpc::ident;

extern "C" {

void __kmpc_barrier(ident*, std::int32_t) { wait_at_barrier(this_place()); }

// A barrier in two halves: all threads wait until thread 0, for which the first half returns 1, has called the second.
std::int32_t __kmpc_barrier_master(ident*, std::int32_t) {
    place& caller = this_place();
    wait_at_barrier(caller);
    if (caller.number != 0)
        wait_at_barrier(caller);
    return caller.number == 0 ? 1 : 0;
}
void __kmpc_end_barrier_master(ident*, std::int32_t) { wait_at_barrier(this_place()); }
std::int32_t __kmpc_barrier_master_nowait(ident*, std::int32_t) {
    place& caller = this_place();
    wait_at_barrier(caller);
    return caller.number == 0 ? 1 : 0;
}

std::int32_t __kmpc_single(ident*, std::int32_t) { return begin_single(this_place()) ? 1 : 0; }
void __kmpc_end_single(ident*, std::int32_t) {}

std::int32_t __kmpc_master(ident*, std::int32_t) { return this_place().number == 0 ? 1 : 0; }
void __kmpc_end_master(ident*, std::int32_t) {}
std::int32_t __kmpc_masked(ident*, std::int32_t, std::int32_t filter) {
    return static_cast<std::int32_t>(this_place().number) == filter ? 1 : 0;
}
void __kmpc_end_masked(ident*, std::int32_t) {}

// The construct's barrier and reductions are calls of their own.
void __kmpc_scope(ident*, std::int32_t, void*) {}
void __kmpc_end_scope(ident*, std::int32_t, void*) {}

// did_it: whether the calling thread has executed the single block.
void __kmpc_copyprivate(ident*, std::int32_t, std::size_t, void* data, void (*copy)(void* to, void* from),
                        std::int32_t did_it) {
    place& caller = this_place();
    auto& slot = caller.in->broadcast;
    if (did_it != 0)
        // relaxed, both: the barriers order them.
        slot.store(data, std::memory_order_relaxed);
    const bool is_cancelled = wait_at_barrier(caller);
    if (did_it == 0 && !is_cancelled)
        copy(data, slot.load(std::memory_order_relaxed));
    wait_at_barrier(caller);
}
// For a caller that copies itself, and ends with a barrier.
void* __kmpc_copyprivate_light(ident*, std::int32_t, void* data) {
    place& caller = this_place();
    if (data != nullptr)
        // relaxed, both: the barrier orders them.
        caller.in->broadcast.store(data, std::memory_order_relaxed);
    wait_at_barrier(caller);
    return caller.in->broadcast.load(std::memory_order_relaxed);
}
}
