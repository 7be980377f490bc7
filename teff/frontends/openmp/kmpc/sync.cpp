// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls by which the threads of a team meet or exclude each other: barriers, blocks that one thread executes,
// critical sections, and cancellation.
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/regions/region.hpp>
#include <teff/frontends/openmp/core/synchronization/lock.hpp>
#include <teff/frontends/openmp/core/teams/cancellation.hpp>
#include <teff/frontends/openmp/core/worksharing/loop.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>

#include <cstddef>

using namespace teff::openmp;
using kmpc::ident;

namespace teff::openmp::kmpc {
namespace {

bool wait_at([[maybe_unused]] const ident* where, place& caller) noexcept {
    const events::sync_region waits(barrier_at(where));
    return wait_at_barrier(caller);
}

}  // namespace
}  // namespace teff::openmp::kmpc

extern "C" {

void __kmpc_barrier(ident* where, std::int32_t) {
    const events::runtime_call called(TEFF_CALL_SITE);
    kmpc::wait_at(where, this_place());
}

// A barrier in two halves. The first half returns 1 to thread 0; all others wait in it until thread 0 calls the second.
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

std::int32_t __kmpc_single(ident*, std::int32_t) {
    const events::runtime_call called(TEFF_CALL_SITE);
    const bool is_executor = begin_single(this_place());
    events::single_begins(is_executor);
    return is_executor ? 1 : 0;
}
void __kmpc_end_single(ident*, std::int32_t) {
    const events::runtime_call called(TEFF_CALL_SITE);
    events::work_ends();
}

std::int32_t __kmpc_master(ident*, std::int32_t) {
    if (this_place().number != 0)
        return 0;
    events::masked_begins(TEFF_CALL_SITE);
    return 1;
}
void __kmpc_end_master(ident*, std::int32_t) { events::masked_ends(TEFF_CALL_SITE); }
std::int32_t __kmpc_masked(ident*, std::int32_t, std::int32_t filter) {
    if (static_cast<std::int32_t>(this_place().number) != filter)
        return 0;
    events::masked_begins(TEFF_CALL_SITE);
    return 1;
}
void __kmpc_end_masked(ident*, std::int32_t) { events::masked_ends(TEFF_CALL_SITE); }

// The construct's barrier and reductions have calls of their own.
void __kmpc_scope(ident*, std::int32_t, void*) {}
void __kmpc_end_scope(ident*, std::int32_t, void*) {}

// did_it: not 0 if the calling thread has executed the single block.
void __kmpc_copyprivate(ident* where, std::int32_t, std::size_t, void* data, void (*copy)(void* to, void* from),
                        std::int32_t did_it) {
    const events::runtime_call called(TEFF_CALL_SITE);
    place& caller = this_place();
    auto& slot = caller.in->broadcast;
    if (did_it != 0)
        // relaxed, both: the barriers order them.
        slot.store(data, std::memory_order_relaxed);
    const bool is_cancelled = kmpc::wait_at(where, caller);
    if (did_it == 0 && !is_cancelled)
        copy(data, slot.load(std::memory_order_relaxed));
    kmpc::wait_at(where, caller);
}
// The generated code copies the data itself, and then calls a barrier.
void* __kmpc_copyprivate_light(ident* where, std::int32_t, void* data) {
    const events::runtime_call called(TEFF_CALL_SITE);
    place& caller = this_place();
    if (data != nullptr)
        // relaxed, both: the barrier orders them.
        caller.in->broadcast.store(data, std::memory_order_relaxed);
    kmpc::wait_at(where, caller);
    return caller.in->broadcast.load(std::memory_order_relaxed);
}
}

// Critical sections, which have 32 bytes of static memory per name, and the exclusion around atomic operations for
// which a compiler has no function.
extern "C" {

void __kmpc_critical(ident*, std::int32_t, void* memory) {
    enter(critical_in(memory), events::mutex_kind::critical, 0, memory, TEFF_CALL_SITE);
}
void __kmpc_critical_with_hint(ident*, std::int32_t, void* memory, std::uint32_t hint) {
    enter(critical_in(memory), events::mutex_kind::critical, hint, memory, TEFF_CALL_SITE);
}
void __kmpc_end_critical(ident*, std::int32_t, void* memory) {
    leave(critical_in(memory), events::mutex_kind::critical, memory, TEFF_CALL_SITE);
}

void __kmpc_atomic_start() { enter_atomic(TEFF_CALL_SITE); }
void __kmpc_atomic_end() { leave_atomic(TEFF_CALL_SITE); }
}

// Cancellation. A construct is a number: 1 parallel, 2 loop, 3 sections, 4 taskgroup. A call that does not return 0
// makes the code jump to the end of the cancelled construct; on its way out of a parallel region it calls
// __kmpc_cancel_barrier() once more, which does not wait then.
namespace teff::openmp::kmpc {
namespace {

cancellable construct_of(std::int32_t number) noexcept {
    return number == 1 ? cancellable::parallel : number == 4 ? cancellable::taskgroup : cancellable::worksharing;
}
// What a tool is told.
int bit_of(std::int32_t number) noexcept {
    constexpr int bits[] = {0, events::cancel_parallel, events::cancel_loop, events::cancel_sections,
                            events::cancel_taskgroup};
    return bits[number];
}

}  // namespace
}  // namespace teff::openmp::kmpc

extern "C" {

std::int32_t __kmpc_cancel(ident*, std::int32_t, std::int32_t construct) {
    const events::runtime_call called(TEFF_CALL_SITE);
    const bool is_active = cancel(this_place(), kmpc::construct_of(construct));
    if (is_active)
        events::cancelled(kmpc::bit_of(construct) | events::cancel_activated);
    return is_active ? 1 : 0;
}
std::int32_t __kmpc_cancellationpoint(ident*, std::int32_t, std::int32_t construct) {
    const events::runtime_call called(TEFF_CALL_SITE);
    const bool is_active = is_cancelled(this_place(), kmpc::construct_of(construct));
    if (is_active)
        events::cancelled(kmpc::bit_of(construct) | events::cancel_detected);
    return is_active ? 1 : 0;
}
// The barrier of a parallel region that may be cancelled. Returns 1 if it is cancelled.
std::int32_t __kmpc_cancel_barrier(ident* where, std::int32_t) {
    const events::runtime_call called(TEFF_CALL_SITE);
    return kmpc::wait_at(where, this_place()) ? 1 : 0;
}

int kmp_get_cancellation_status(int construct) {
    return is_cancelled(this_place(), kmpc::construct_of(construct)) ? 1 : 0;
}
int kmp_get_cancellation_status_(const int* construct) { return kmp_get_cancellation_status(*construct); }
}
