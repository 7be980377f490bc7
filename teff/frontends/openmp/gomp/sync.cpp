// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's calls for barriers, and for blocks that one thread executes.
#include <teff/frontends/openmp/core/regions/region.hpp>
#include <teff/frontends/openmp/core/worksharing/single.hpp>
#include <teff/frontends/openmp/gomp/reductions.hpp>

using namespace teff::openmp;

extern "C" {

void GOMP_barrier() { wait_at_barrier(this_place()); }

bool GOMP_single_start() { return begin_single(this_place()); }

// GOMP_workshare_task_reduction_unregister() ends the construct.
void GOMP_scope_start(std::uintptr_t* reductions) { gomp::begin_shared_reductions(this_place(), reductions); }

// nullptr for the thread that executes the block; the others get what that thread has published. The compiler ends the
// construct with a barrier. In a cancelled region no thread waits for that one, so there is nothing to get, and this
// call cannot tell the compiler so. Then each thread executes the block for itself, and that barrier leads it out of
// the region.
void* GOMP_single_copy_start() {
    place& caller = this_place();
    if (begin_single(caller) || wait_at_barrier(caller))
        return nullptr;
    // relaxed, here and below: the barrier orders them.
    return caller.in->broadcast.load(std::memory_order_relaxed);
}
void GOMP_single_copy_end(void* data) {
    place& caller = this_place();
    caller.in->broadcast.store(data, std::memory_order_relaxed);
    wait_at_barrier(caller);
}
}
