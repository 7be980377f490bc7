// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search of a member, as team::search() calls it. With a condition the search ends when it is met; for a member
// that looks only for visible tasks also when there are none. Without one it ends when the team is over and no task is
// visible. Included by task_member_of.hpp only.
#pragma once

#include <teff/team/task_member_of.hpp>

namespace teff {

template <class Scheduler>
    requires scheduler<Scheduler, task_header*>
struct task_member_of<Scheduler>::search_view {
    task_member_of& self;
    const wait_condition* awaited = nullptr;
    latch_watch* watching = nullptr;
    bool only_visible = false;
    const take_rules& may_run = any_task;
    const wait_rules* rules = nullptr;
    outer_work* outer = nullptr;
    mailbox<task_header>* box = nullptr;

    wait_reason why() const noexcept { return self.why(rules); }
    bool finished() const noexcept {
        if (awaited != nullptr)
            return awaited->is_met() || (only_visible && !has_visible_work()) ||
                   (outer != nullptr && outer->is_found_after_sleep());
        // relaxed: it is enough to see the change soon; the flag publishes no other data.
        const bool is_over = self.team_.over_.load(std::memory_order_relaxed);
        return (is_over && !has_visible_work()) || self.team_.idle().bursts().is_quiet();
    }
    bool ends_rest() const noexcept { return finished() || (box != nullptr && !box->is_open()); }
    bool take() noexcept {
        if (task_header* const given = box != nullptr ? box->take() : nullptr) {
            self.found_ = self.note_given(*given);
            return true;
        }
        self.found_ = self.take_beside(may_run);
        return self.found_ != nullptr || self.local_.steal();
    }
    bool took_last() const noexcept {
        if constexpr (is_asked)
            return self.local_.took_last();
        else
            return false;
    }
    bool has_visible_work() const noexcept {
        return self.team_.has_visible_work_for(self, may_run) || self.team_.has_unattended();
    }
    bool hides_work() const noexcept { return self.team_.hides_work(); }
    // A member that looks only for visible tasks does not sleep in this search: the end of a group wakes it on
    // another event count (task_team_of::block()).
    bool has_work() const noexcept {
        return only_visible || self.team_.scheduler_.has_work_for(self.slot()) ||
               self.team_.has_visible_work_for(self, may_run) || self.has_bound_tasks() ||
               (outer != nullptr && outer->is_found());
    }
    void before_sleep() const noexcept {
        if (watching != nullptr)
            watching->begin();
        if (outer != nullptr)
            outer->begin_sleep(self.team_.idle().members());
        self.team_.scheduler_.request();
    }
};

template <class Scheduler>
    requires scheduler<Scheduler, task_header*>
bool task_member_of<Scheduler>::search(search_view what, bool may_leave) noexcept {
    const bool found = team_.search(what, may_leave, counted_, is_asked ? &pause_ : nullptr);
    if (was_given_)
        pause_.forget_work();
    if (found_ != nullptr)
        resume();
    return found;
}

}  // namespace teff
