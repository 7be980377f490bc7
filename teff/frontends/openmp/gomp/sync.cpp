// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's calls by which the threads of a team meet or exclude each other: barriers, single and scope constructs,
// critical sections, and cancellation.
#include <teff/frontends/openmp/core/regions/region.hpp>
#include <teff/frontends/openmp/core/synchronization/lock.hpp>
#include <teff/frontends/openmp/core/teams/cancellation.hpp>
#include <teff/frontends/openmp/core/worksharing/loop.hpp>
#include <teff/frontends/openmp/gomp/loop_bounds.hpp>
#include <teff/frontends/openmp/gomp/reductions.hpp>

using namespace teff::openmp;

extern "C" {

void GOMP_barrier() { wait_at_barrier(this_place()); }

bool GOMP_single_start() { return begin_single(this_place()); }

// GOMP_workshare_task_reduction_unregister() ends the construct.
void GOMP_scope_start(std::uintptr_t* reductions) { gomp::begin_shared_reductions(this_place(), reductions); }

// Returns nullptr to the thread that executes the block, and to the others the pointer that it has published. The
// compiler ends the construct with a barrier. In a cancelled region no thread waits at barriers, so no pointer may have
// been published, and this call cannot report it. Then each thread executes the block for itself, and the construct's
// barrier leads it out of the region.
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

// Critical sections, whose names have one static pointer each, and the exclusion around atomic operations that GCC
// cannot compile to instructions.
extern "C" {

void GOMP_critical_start() { unnamed_critical().acquire(); }
void GOMP_critical_end() { unnamed_critical().release(); }
void GOMP_critical_name_start(void** memory) { critical_in(memory).acquire(); }
void GOMP_critical_name_end(void** memory) { critical_in(memory).release(); }

void GOMP_atomic_start() { atomic_lock().acquire(); }
void GOMP_atomic_end() { atomic_lock().release(); }
}

// Cancellation. A construct is a bit: 1 parallel, 2 loop, 4 sections, 8 taskgroup. A call that returns true makes the
// code jump to the end of the cancelled construct.
namespace teff::openmp::gomp {
namespace {

cancellable construct_of(int bit) noexcept {
    return bit == 1 ? cancellable::parallel : bit == 8 ? cancellable::taskgroup : cancellable::worksharing;
}

}  // namespace
}  // namespace teff::openmp::gomp

extern "C" {

// is_wanted: the if clause. If it is false, the call is a cancellation point only.
bool GOMP_cancel(int construct, bool is_wanted) {
    place& caller = this_place();
    const cancellable what = gomp::construct_of(construct);
    return is_wanted ? cancel(caller, what) : is_cancelled(caller, what);
}
bool GOMP_cancellation_point(int construct) { return is_cancelled(this_place(), gomp::construct_of(construct)); }

// The barriers of a parallel region that may be cancelled. They return true if it is cancelled.
bool GOMP_barrier_cancel() { return wait_at_barrier(this_place()); }
bool GOMP_loop_end_cancel() { return gomp::end_with_barrier(this_place()); }
bool GOMP_sections_end_cancel() { return gomp::end_with_barrier(this_place()); }
}
