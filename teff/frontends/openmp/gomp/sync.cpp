// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's calls by which the threads of a team meet or exclude each other: barriers, single and scope constructs,
// critical sections, and cancellation.
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/regions/region.hpp>
#include <teff/frontends/openmp/core/synchronization/lock.hpp>
#include <teff/frontends/openmp/core/teams/cancellation.hpp>
#include <teff/frontends/openmp/core/worksharing/loop.hpp>
#include <teff/frontends/openmp/gomp/loop_bounds.hpp>
#include <teff/frontends/openmp/gomp/reductions.hpp>

using namespace teff::openmp;

extern "C" {

void GOMP_barrier() {
    const events::runtime_call called(TEFF_CALL_SITE);
    const events::sync_region waits(events::sync_kind::barrier_explicit);
    wait_at_barrier(this_place());
}

// GCC has no call at the end of the block, so that a tool is told of the begin and the end at once.
bool GOMP_single_start() {
    const events::runtime_call called(TEFF_CALL_SITE);
    const bool is_executor = begin_single(this_place());
    events::single_begins(is_executor);
    if (is_executor)
        events::work_ends();
    return is_executor;
}

// GOMP_workshare_task_reduction_unregister() ends the construct.
void GOMP_scope_start(std::uintptr_t* reductions) {
    const events::runtime_call called(TEFF_CALL_SITE);
    gomp::begin_shared_reductions(this_place(), reductions);
}

// Returns nullptr to the thread that executes the block, and to the others the pointer that it has published. The
// compiler ends the construct with a barrier. In a cancelled region no thread waits at barriers, so no pointer may have
// been published, and this call cannot report it. Then each thread executes the block for itself, and the construct's
// barrier leads it out of the region.
void* GOMP_single_copy_start() {
    const events::runtime_call called(TEFF_CALL_SITE);
    place& caller = this_place();
    const bool is_executor = begin_single(caller);
    events::single_begins(is_executor);
    if (is_executor) {
        events::work_ends();
        return nullptr;
    }
    const events::sync_region waits(events::sync_kind::barrier_workshare);
    if (wait_at_barrier(caller))
        return nullptr;
    // relaxed, here and below: the barrier orders them.
    return caller.in->broadcast.load(std::memory_order_relaxed);
}
void GOMP_single_copy_end(void* data) {
    place& caller = this_place();
    caller.in->broadcast.store(data, std::memory_order_relaxed);
    const events::runtime_call called(TEFF_CALL_SITE);
    const events::sync_region waits(events::sync_kind::barrier_workshare);
    wait_at_barrier(caller);
}
}

// Critical sections, whose names have one static pointer each, and the exclusion around atomic operations that GCC
// cannot compile to instructions.
extern "C" {

void GOMP_critical_start() {
    enter(unnamed_critical, events::mutex_kind::critical, 0, &unnamed_critical, TEFF_CALL_SITE);
}
void GOMP_critical_end() {
    leave(unnamed_critical, events::mutex_kind::critical, &unnamed_critical, TEFF_CALL_SITE);
}
void GOMP_critical_name_start(void** memory) {
    enter(critical_in(memory), events::mutex_kind::critical, 0, memory, TEFF_CALL_SITE);
}
void GOMP_critical_name_end(void** memory) {
    leave(critical_in(memory), events::mutex_kind::critical, memory, TEFF_CALL_SITE);
}

void GOMP_atomic_start() { enter_atomic(TEFF_CALL_SITE); }
void GOMP_atomic_end() { leave_atomic(TEFF_CALL_SITE); }
}

// Cancellation. A construct is a bit: 1 parallel, 2 loop, 4 sections, 8 taskgroup. A call that returns true makes the
// code jump to the end of the cancelled construct.
namespace teff::openmp::gomp {
namespace {

cancellable construct_of(int bit) noexcept {
    return bit == 1 ? cancellable::parallel : bit == 8 ? cancellable::taskgroup : cancellable::worksharing;
}
// What a tool is told: it has the bits of loops and sections the other way round.
int bit_of(int bit) noexcept { return bit == 2 ? events::cancel_loop : bit == 4 ? events::cancel_sections : bit; }

}  // namespace
}  // namespace teff::openmp::gomp

extern "C" {

// is_wanted: the if clause. If it is false, the call is a cancellation point only.
bool GOMP_cancel(int construct, bool is_wanted) {
    const events::runtime_call called(TEFF_CALL_SITE);
    place& caller = this_place();
    const cancellable what = gomp::construct_of(construct);
    const bool is_active = is_wanted ? cancel(caller, what) : is_cancelled(caller, what);
    if (is_active)
        events::cancelled(gomp::bit_of(construct) | (is_wanted ? events::cancel_activated : events::cancel_detected));
    return is_active;
}
bool GOMP_cancellation_point(int construct) {
    const events::runtime_call called(TEFF_CALL_SITE);
    const bool is_active = is_cancelled(this_place(), gomp::construct_of(construct));
    if (is_active)
        events::cancelled(gomp::bit_of(construct) | events::cancel_detected);
    return is_active;
}

// The barriers of a parallel region that may be cancelled. They return true if it is cancelled.
bool GOMP_barrier_cancel() {
    const events::runtime_call called(TEFF_CALL_SITE);
    const events::sync_region waits(events::sync_kind::barrier_explicit);
    return wait_at_barrier(this_place());
}
bool GOMP_loop_end_cancel() {
    const events::runtime_call called(TEFF_CALL_SITE);
    return gomp::end_with_barrier(this_place());
}
bool GOMP_sections_end_cancel() {
    const events::runtime_call called(TEFF_CALL_SITE);
    return gomp::end_with_barrier(this_place());
}
}
