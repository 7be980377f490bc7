// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A team's slots, its first failure, and its begin and end by the caller; see team.hpp. And how a stop request cancels
// it; see cancel_on_stop.hpp.
#include <teff/team/team.hpp>

#include <teff/base/clock.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/strand/running_thread.hpp>
#include <teff/team/cancel_on_stop.hpp>
#include <teff/team/task_team.hpp>

#include <utility>

namespace teff {

team::team(unsigned slot_count, long spin_us, bool counts, admission admits)
    : idle_(pool::instance().idle(),
            admits == admission::fixed ? 0 : slot_count - (admits == admission::elastic ? 1 : 0)),
      free_slots_(slot_count), free_count_(0), spin_us_(spin_us), counts_(counts), has_timeline_(timeline_is_on()),
      admission_(admits) {
    if (admits == admission::elastic)
        fill_slots(slot_count - 1, 1);
    else if (admits == admission::visited)
        fill_slots(slot_count, 0);
}

void team::reserve(unsigned workers) noexcept { fill_slots(workers, 1); }

void team::fill_slots(unsigned count, unsigned lowest) noexcept {
    // Low numbers on top of the stack, so that thieves have few slots to look at.
    for (unsigned i = 0; i < count; ++i)
        free_slots_[i] = lowest + count - 1 - i;
    free_count_ = count;
}

// Out of line, like every function in the library's virtual tables: otherwise the loader could bind these to copies in
// a shared object that uses the library, which could then not be unloaded.
bool team::has_room() const noexcept { return free_count_ != 0; }
bool team::awaits_workers() const noexcept { return is_fixed() && free_count_ != 0; }
unsigned team::held_workers() const noexcept { return is_fixed() ? members_ + free_count_ : members_; }

bool team::is_quiet() const noexcept { return idle_.bursts().is_quiet(); }
void team::end_quiet_if_due() noexcept {
    if (!is_quiet())
        return;
    short_bursts& bursts = idle_.bursts();
    const std::int64_t now = cycle_count();
    if (bursts.is_forgotten(now) || (bursts.is_lasting(now) && (has_visible_work() || hides_work())))
        bursts.end_quiet();
}

unsigned team::take_slot() noexcept {
    if (free_count_ == 0)
        return no_slot;
    ++members_;
    sanitizers::happens_after(&free_count_);
    if (!is_fixed())
        idle_.slot_taken();
    return free_slots_[--free_count_];
}

// The mutex orders the passing of a slot from guest to worker and back. The calls report this order to ThreadSanitizer.
work_source::given_slot team::give_slot(unsigned slot) noexcept {
    if (is_fixed())
        return {--members_ == 0};
    sanitizers::happens_before(&free_count_);
    const passed_slot passed = pass_slot(slot);
    if (passed.is_taken) {
        idle_.members().end_search();
    } else {
        free_slots_[free_count_++] = slot;
        idle_.slot_freed();
    }
    // A publisher that saw us search has woken no thread. The pool's workers look again before they sleep, but it may
    // be that only the team's caller can take the work.
    // seq_cst: our search here has ended before we look; partner: the fence in event_count::notify_one().
    teff::atomic_thread_fence(std::memory_order_seq_cst);
    if (idle_.members().sleeping() != 0 && (has_visible_work() || hides_work()))
        idle_.members().notify_one();
    return {--members_ == 0, passed.to_wake};
}

unsigned team::take_guest_slot() noexcept {
    if (free_count_ == 0)
        return no_slot;
    sanitizers::happens_after(&free_count_);
    idle_.guest_took_slot();
    return free_slots_[--free_count_];
}

void team::give_guest_slot(unsigned slot) noexcept {
    passed_slot passed;
    {
        const scoped_lock lock(pool::instance().process_mutex());
        sanitizers::happens_before(&free_count_);
        passed = pass_slot(slot);
        if (!passed.is_taken) {
            free_slots_[free_count_++] = slot;
            idle_.guest_freed_slot();
        }
    }
    if (passed.to_wake != nullptr)
        passed.to_wake->wake(*passed.to_wake);
    if (passed.is_taken)
        return;
    // A thread that made work visible, or keeps some, while there was no free slot has woken no worker.
    // seq_cst: the slot is free before we look; partner: the fence in event_count::notify_one().
    teff::atomic_thread_fence(std::memory_order_seq_cst);
    if (has_visible_work() || hides_work())
        idle_.work_visible();
}

namespace {

// The name of a run of items comes from the team's type, which contains the type of the user's function. The virtual
// table identifies the type even in a program without type information.
const void* virtual_table_of(const team& some) noexcept {
    return *reinterpret_cast<const void* const*>(&some);
}

}  // namespace

void team::note_begin_work() const noexcept {
    begin_activity(activity::work);
    if (names_stretches_ && events_are_on())
        begin_slice(slice_kind::reduction, virtual_table_of(*this));
}
void team::note_end_work() const noexcept {
    // A worker has no slice open when it joins a team.
    if (names_stretches_ && events_are_on())
        end_slice(own_slice());
    begin_activity(activity::search);
}

void team::join(unsigned slot, unsigned worker) noexcept {
    {
        const scoped_membership inside(*this);
        const scoped_activity visiting(activity::search, has_timeline_);
        work(slot, worker);
    }
    pool::instance().leave(*this, slot, left_);
}

void team::fail(std::exception_ptr error) noexcept {
    // relaxed: only decides which member writes failure_. The caller reads it after all members have left, which the
    // pool's mutex orders.
    if (!failed_.exchange(true, std::memory_order_relaxed))
        failure_ = std::move(error);
    cancel();
}

void team::rethrow_failure() {
    if (failure_)
        std::rethrow_exception(std::exchange(failure_, nullptr));
}

void team::open() noexcept { pool::instance().open(*this); }
void team::close() noexcept { pool::instance().close(*this, left_); }
void team::close_reserved(unsigned workers) noexcept { pool::instance().close_reserved(*this, left_, workers); }

void team::run_as_caller() noexcept {
    const scoped_activity working(activity::work, has_timeline_);
    const scoped_slice stretch(slice_kind::reduction, virtual_table_of(*this), names_stretches_ && events_are_on());
    // The caller does not return to its present team before this one ends.
    if (task_member* const outer = running_thread.member)
        outer->give_up_seat();
    open();
    // The first items may have woken workers before the team was open; these may have found nothing and gone to sleep.
    if (has_visible_work() || hides_work())
        idle_.work_visible();
    {
        const scoped_membership inside(*this);
        work(caller_slot, this_thread().worker);
    }
    close();
}

cancel_on_stop::cancel_on_stop(const std::stop_token& stop, team& what) : callback_(stop, canceller{what}) {}
cancel_on_stop::~cancel_on_stop() = default;

void cancel_on_stop::canceller::operator()() const noexcept { what.cancel(); }

}  // namespace teff
