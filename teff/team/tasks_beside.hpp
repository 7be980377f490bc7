// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tasks that a member takes from other places than its own queue: the lanes of its team, and the inboxes of
// shepherds (bound_tasks.hpp). It does not depend on the scheduler. tasks_of_member.hpp has the queue; see
// task_team.hpp for the design.
//
// A member takes bound tasks only on a seat of their shepherd. It has a home, the shepherd of its own thread, and may
// take a seat elsewhere for a while.
#pragma once

#include <teff/pool/pool.hpp>
#include <teff/queue/priority_lanes.hpp>
#include <teff/strand/worker.hpp>
#include <teff/team/bound_tasks.hpp>
#include <teff/team/task_team.hpp>

#include <cstdint>
#include <utility>

namespace teff {

// For the thread that is the member.
class tasks_beside : public task_member {
    using lanes = priority_lanes<task_header>;

public:
    unsigned shepherd() noexcept final {
        find_home();
        return seat_.shepherd();
    }
    bool sits_at(unsigned shepherd) noexcept final { return seat_.is_at(shepherd); }
    void end_look() noexcept final {
        if (seat_.is_away() || is_caller_outside_tasks())
            give_up_seat();
    }
    void keep_seat(kept_seat& kept) noexcept final { seat_.keep(kept); }
    void end_keeping_seat(const kept_seat& kept) noexcept final {
        if (seat_.end_keeping(kept, team().bound()))
            team().wake_for_bound();
        found_ = seat_.is_away() ? &away_mark_ : nullptr;
    }
    void give_up_seat() noexcept final {
        if (!seat_.is_taken()) [[likely]]
            return;
        if (found_ == &away_mark_)
            found_ = nullptr;
        if (seat_.give_up(*team().bound()))
            team().wake_for_bound();
    }

    // Which tasks it takes out of the lanes.
    auto accepts(const take_rules& may_run) const noexcept {
        return [this, &may_run](const task_header& offered) {
            return may_run(offered) && (team().is_fixed() || may_run_here(offered));
        };
    }
    // Whether a look by this member for bound tasks might succeed now.
    bool has_bound_tasks() const noexcept {
        const bound_tasks* const tasks = team().bound();
        return tasks != nullptr && seat_.has_tasks(*tasks);
    }

protected:
    tasks_beside(task_team& team, unsigned slot) noexcept : task_member(team, slot, counts_) {}
    ~tasks_beside() = default;

    task_header* take_from_lanes(std::uint64_t among, const take_rules& may_run) noexcept {
        task_header* const taken = team().lanes_.take(among, accepts(may_run));
        counted_.run += taken != nullptr ? 1 : 0;
        return taken;
    }
    // Takes a task that is in no queue of the scheduler. While the team has bound tasks, the lanes, the inbox of the
    // member's shepherd and the inboxes of others are searched in turn. So fibers that yield for ever in one of
    // these places do not starve tasks in another place.
    task_header* take_beside(const take_rules& may_run) noexcept {
        const std::uint64_t used = team().lanes_.lanes_in_use();
        if (used == 0) [[likely]]
            return nullptr;
        return (used & lanes::others) == 0 ? take_from_lanes(lanes::all_lanes, may_run) : take_in_turn(may_run);
    }
    // For a member that may take no other tasks.
    task_header* take_bound() noexcept {
        if (team().bound() == nullptr)
            return nullptr;
        if (task_header* const found = found_ != nullptr ? take_found() : nullptr)
            return found;
        task_header* const own = take_bound_of(true);
        return own != nullptr ? own : take_bound_of(false);
    }
    // Returns the task that a search has found. If the member has just left a bound task of another shepherd, returns
    // one more of that shepherd's tasks. Otherwise the member returns to its own seat.
    [[gnu::noinline]] task_header* take_found() noexcept {
        task_header* const found = std::exchange(found_, nullptr);
        if (found != &away_mark_) {
            if (seat_.is_away())
                found_ = &away_mark_;
            return found;
        }
        if (task_header* const next = seat_.take_one_more(*team().bound()))
            return note_bound(*next);
        give_up_seat();
        return nullptr;
    }
    // Whether a task that yields must queue in the lanes, so that the lists beside the queue are served in turn.
    [[gnu::noinline]] bool has_tasks_beside() const noexcept { return team().has_tasks_beside(); }

    task_header* found_ = nullptr;  // found beside the queue by a search; already counted as run; or away_mark_
    seat seat_;

private:
    [[gnu::noinline]] task_header* take_in_turn(const take_rules& may_run) noexcept {
        // Rules are those of fixed teams, which have no bound tasks: these are the OpenMP runtime's.
        if (!team().bound()->any() || may_run.accepts != nullptr)
            return take_from_lanes(lanes::all_lanes, may_run);
        constexpr unsigned lists = 3;
        const unsigned first = turn_++;
        task_header* taken = nullptr;
        for (unsigned i = 0; taken == nullptr && i < lists; ++i) {
            const unsigned list = (first + i) % lists;
            taken = list == 0 ? take_from_lanes(lanes::all_lanes, may_run) : take_bound_of(list == 1);
        }
        return taken;
    }
    task_header* take_bound_of(bool is_own) noexcept {
        find_home();
        bound_tasks& tasks = *team().bound();
        bool to_wake = false;
        // If the pool has idle workers, some of the shepherd's own workers may come soon: they were woken, too.
        const bool is_patient = pool::instance().idle().idle() != 0;
        task_header* const taken = is_own ? seat_.take(tasks) : seat_.take_elsewhere(tasks, is_patient, to_wake);
        if (to_wake)
            team().wake_for_bound();
        return taken != nullptr ? note_bound(*taken) : nullptr;
    }
    task_header* note_bound(task_header& taken) noexcept {
        ++counted_.run;
        if (seat_.is_away())
            found_ = &away_mark_;
        return &taken;
    }
    [[gnu::noinline]] void find_home() noexcept {
        if (!seat_.has_home())
            seat_.set_home(team().shepherds().of(slot(), this_thread().worker));
    }

    unsigned turn_ = 0;  // of the lists beside the queue
    worker_counters counts_;
};

}  // namespace teff
