// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A member of a task team, for one scheduler: runs tasks, searches for tasks, and waits. The base class in
// tasks_of_member.hpp pushes and takes tasks; see task_team.hpp for the design.
#pragma once

#include <teff/base/backoff.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/observe/counters.hpp>
#include <teff/pool/idle_sleep.hpp>
#include <teff/scheduler/scheduler.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/team/latch_wait.hpp>
#include <teff/team/outer_work.hpp>
#include <teff/team/region_barriers.hpp>
#include <teff/team/task_team.hpp>
#include <teff/team/tasks_of_member.hpp>
#include <teff/team/theft_pause.hpp>

#include <cstdint>
#include <optional>
#include <utility>

namespace teff {

template <class Scheduler>
    requires scheduler<Scheduler, task_header*>
class task_member_of final : public tasks_of_member<Scheduler> {
    using tasks = tasks_of_member<Scheduler>;

public:
    using tasks::end_look, tasks::give_up_seat, tasks::has_bound_tasks, tasks::take;

    task_member_of(task_team_of<Scheduler>& team, unsigned slot)
        : tasks(team, slot), box_(team.mailboxes() != nullptr ? &(*team.mailboxes())[slot] : nullptr),
          counted_before_(local_.counted()) {
        if constexpr (is_asked)
            local_.set_request_flag(running_thread.limit);
    }
    ~task_member_of() {
        give_up_seat();
        hand_in_counters();
        if constexpr (is_asked)
            local_.clear_request_flag();
        team_.scheduler_.leave(local_);
    }

    bool sees_work(bool of_others) noexcept override {
        return found_ != nullptr || local_has_tasks() || team_.has_in_lanes_for(*this, any_task) || has_bound_tasks() ||
               (of_others && search_view{*this}.has_work());
    }
    task_header* take_some(bool of_others) noexcept override {
        task_header* const own = take(any_task);
        if (own != nullptr || !of_others)
            return own;
        // A short search (team::search()), but long enough to obtain hidden tasks by force.
        run_dry();
        search_view all{*this};
        bool found = all.take();
        for (idle_spin spin(most_force_us); !found && team_.hides_work() && spin.pause();)
            found = all.take();
        team_.idle().members().end_search();
        if (!found || found_ != nullptr)
            resume();
        team_.pass_on_wake_up(all);
        return found ? take(any_task) : nullptr;
    }
    // Most teams do nothing before or after a task, and find that out by one comparison.
    void run(task_header& taken) noexcept override {
        sanitizers::happens_after(&taken);
        if (team_.watches_runs())
            return run_watched(taken);
        ++depth_;
        taken.run(taken);
        --depth_;
    }

    bool wait(const wait_condition& awaited, const wait_rules& rules) noexcept override {
        const bool is_taken_back = run_until(awaited, rules);
        if (seat_.is_taken()) [[unlikely]]
            end_look();
        return is_taken_back;
    }
    bool run_until(const wait_condition& awaited, const wait_rules& rules) noexcept {
        const bool searches = rules.takes_others && !rules.leaves_own;
        std::optional<scoped_loop> takes_any;
        if (rules.takes_any())
            takes_any.emplace(*this, &awaited);
        const scoped_awaited ends_with(*this, awaited);
        latch_watch watching(awaited, team_.sleepers(searches));
        outer_work outer(*this, rules);
        while (!awaited.is_met()) {
            if (outer.is_due()) [[unlikely]] {
                outer.run_one();
                if (team_.stop_.is_orphaned())
                    return is_left_to_child(awaited, rules.until);
                continue;
            }
            task_header* own = rules.leaves_own && others_take_all() ? take_bound() : take(rules.may_run);
            if (own == nullptr && !searches) {
                // To block here without running others' tasks cannot deadlock: every chain of such waits ends at a
                // running task, or at a wait for a group, which runs tasks.
                if (team_.block(*this, awaited, rules, watching, outer, counted_))
                    continue;
                own = take(rules.may_run);
            }
            if (own == nullptr && rules.until != nullptr && ends_soon(awaited))
                continue;
            // The member owns what it has found, here and below, even if the condition was met meanwhile.
            if (own == nullptr && rules.may_run.accepts == nullptr && finds_at_once())
                own = take(rules.may_run);
            if (own == nullptr) {
                run_dry();
                const bool found =
                    search({*this, &awaited, &watching, !searches, rules.may_run, &rules, &outer}, false);
                outer.end_sleep();
                if (found)
                    own = take(rules.may_run);
                else
                    resume();
            }
            if (own != nullptr && own == rules.until) {
                count_run();
                return true;
            }
            if (own != nullptr && is_too_early(*own, awaited, rules)) [[unlikely]]
                return false;
            if (own != nullptr && rules.runs != nullptr)
                rules.runs(*this, *own);
            else if (own != nullptr)
                run(*own);
            if (team_.stop_.is_orphaned())
                return is_left_to_child(awaited, rules.until);
        }
        return false;
    }

    // Hands in the counts since the last call. This class counts the tasks, in the same way for all schedulers.
    void hand_in_counters() noexcept override {
        if (!team_.counts())
            return;
        const slot_counts now = local_.counted();
        const slot_counts before = std::exchange(counted_before_, now);
        counted_.requests_served = now.requests_served - before.requests_served;
        counted_.combining_rounds = now.combining_rounds - before.combining_rounds;
        counted_.combined = now.combined - before.combined;
        counted_.steals_contended = now.steals_contended - before.steals_contended;
        add_counters(this_thread().worker, std::exchange(counted_, {}));
    }

    void wait_at_barrier() noexcept override {
        if (team_.is_fixed())
            await_barrier({});
    }
    void wait_at_end_of_region() noexcept { await_barrier({.ends_region = true}); }
    void await_barrier(const wait_rules& rules) noexcept {
        const region_barrier::arrival mine = team_.barriers_.arrive_at_end(this->slot());
        const wait_condition opening = team_.barriers_.end_condition(mine.awaited);
        if (mine.is_last && (leaves_opening_to_caller(opening) || team_.open_barrier_if_complete()))
            return;
        if (task_header* const own = take({})) {
            if (is_too_early(*own, opening, rules)) [[unlikely]]
                return;
            run(*own);
        } else if (team_.first_looks_.is_met_soon([&] { return opening.is_met() || opens_as_caller(); }))
            return;
        [[maybe_unused]] const bool taken_back = wait(opening, rules);
    }
    // With more members than processors, the caller opens the barrier if it is awake: then it goes on at once, and the
    // others wait for a processor. Its part after a barrier is often the one for which the others wait, as in a region
    // with `master`, and after a region it is the whole program. So the member that arrives last first yields to it.
    // (If the caller sleeps, this member opens the barrier itself.)
    bool leaves_opening_to_caller(const wait_condition& opening) noexcept {
        if (!team_.first_looks_.yields() || this->slot() == 0) [[likely]]
            return false;
        yield_thread();
        return opening.is_met();
    }
    bool opens_as_caller() noexcept {
        return team_.first_looks_.yields() && this->slot() == 0 && team_.open_barrier_if_complete();
    }
    // Leaves a task of the next region to the other members. Its maker had passed the barrier, so the member that
    // has taken the task sees the barrier open.
    bool is_too_early(task_header& taken, const wait_condition& opening, const wait_rules& rules) noexcept {
        if (!rules.ends_region || !opening.is_met())
            return false;
        team_.put_into_lanes(taken);
        return true;
    }
    bool wait_at_cancellable_barrier() noexcept override {
        if (!team_.is_fixed())
            return false;
        region_barriers& barriers = team_.barriers_;
        if (!barriers.is_given_up()) {
            [[maybe_unused]] const bool taken_back = wait(barriers.arrive_inside(this->slot()), {});
        }
        return barriers.is_given_up();
    }
    // The region's function counts as a task (is_inside() is true): the member will return for its next operation.
    void run_part(region_function body, void* argument, unsigned member, unsigned size) noexcept {
        const bool is_traced = team_.traces_runs();
        const scoped_slice traced(slice_kind::region, is_traced ? name_of_region(body, argument) : nullptr, is_traced);
        ++depth_;
        body(argument, member, size);
        --depth_;
    }

    // The same for a caller that does its part of the region itself.
    void begin_part() noexcept { ++depth_; }
    void end_part() noexcept { --depth_; }

    // For a worker: works until it has found no task for a while (spin_us).
    void work() noexcept {
        if (!search_as_worker())
            return;
        team_.begin_work();
        for (;;) {
            run_own();
            while (task_header* const given = await_given()) {
                run(*given);
                run_own();
            }
            if (finds_at_once())
                continue;
            run_dry();
            if (!search_as_worker())
                break;
        }
        team_.end_work();
    }

    // For a member of regions that enters the scheduler: becomes active, without a task yet.
    void begin() noexcept { resume(); }
    // For the caller, when its function has returned: runs the tasks that were not waited for. For a member of regions
    // that leaves the scheduler: there are no tasks left.
    void retire() noexcept {
        run_own();
        local_.retire();
    }
    // For the caller, when all other members have left: runs the tasks that they left.
    void run_rest() noexcept {
        for (;;) {
            if (task_header* const left = take_from_lanes(lanes::all_lanes, {})) {
                resume();
                run(*left);
            } else if (team_.scheduler_.finished() || !local_.steal()) {
                return;
            }
            retire();
        }
    }

    // For reports. rules: nullptr if the member waits for nothing but the end of its team.
    static wait_reason why(const wait_rules* rules) noexcept {
        wait_reason made{.kind = "the other members of its team", .event = "", .is_for_tasks = true};
        if (rules != nullptr && rules->why != nullptr)
            made = *rules->why;
        else if (rules != nullptr && rules->until != nullptr)
            made.kind = "the second function of a fork";
        made.task = running_strand().around.task;
        return made;
    }

private:
    using lanes = priority_lanes<task_header>;
    using tasks::counted_, tasks::depth_, tasks::found_, tasks::is_asked, tasks::local_, tasks::seat_, tasks::team_;
    using tasks::local_has_tasks, tasks::put_on_top, tasks::take_beside, tasks::take_bound, tasks::take_from_lanes;
    using typename tasks::scoped_awaited;
    using typename tasks::scoped_loop;
    static constexpr std::int64_t most_force_us = 30;

    struct search_view;  // member_search.hpp
    static constexpr take_rules any_task{};

    void run_watched(task_header& taken) noexcept {
        if (team_.traces_runs()) [[unlikely]]
            return run_traced(taken);
        ++depth_;
        taken.run(taken);
        --depth_;
        count_run();
    }
    // The depth grows by two so that takes_next() is false for the task: a fiber that is left then returns here,
    // instead of switching to the next one, and each run of a fiber has a slice.
    [[gnu::noinline]] void run_traced(task_header& taken) noexcept {
        {
            const scoped_slice traced(slice_kind::task, name_of_task(taken), true);
            depth_ += 2;
            taken.run(taken);
            depth_ -= 2;
        }
        count_run();
    }
    static const void* name_of_task(const task_header& taken) noexcept {
        const void* const named = traced_function_of != nullptr ? traced_function_of(taken) : nullptr;
        return named != nullptr ? named : reinterpret_cast<const void*>(taken.run);
    }
    static const void* name_of_region(region_function body, const void* argument) noexcept {
        const void* const named =
            traced_function_of_region != nullptr ? traced_function_of_region(body, argument) : nullptr;
        return named != nullptr ? named : reinterpret_cast<const void*>(body);
    }
    void run_own() noexcept {
        const scoped_loop takes_any(*this, nullptr);
        while (task_header* const own = take({}))
            run(*own);
    }

    // Waits a little for a task that often ends about when the caller's own work does. To begin and end a search would
    // cost more time, both of this member and of the one that runs the task. (Schedulers that do not share on request
    // queue each task, so the task may not have begun; they skip this wait.)
    bool ends_soon(const wait_condition& awaited) const noexcept {
        if constexpr (is_asked) {
            for (unsigned poll = 0; poll < team_.how().settings.dry_polls; ++poll) {
                for (unsigned pause = 0; pause < 8; ++pause)
                    cpu_relax();
                if (awaited.is_met())
                    return true;
            }
        }
        return false;
    }
    // Makes all own tasks visible if there is an idle worker, and returns whether others can take all of them. Blocked
    // members do not count as idle, so the last of several such members keeps its tasks.
    bool others_take_all() noexcept {
        if constexpr (is_asked)
            return team_.idle().any() && local_.show_all();
        else
            return false;
    }

    // One look, before the member counts as idle: to begin a search and to end it writes a line that all members read.
    bool finds_at_once() noexcept {
        if constexpr (is_asked) {
            if (team_.is_fixed() || !pause_.is_over(cycle_count()))
                return false;
            ++counted_.steals_tried;
            if (!local_.steal_visible())
                return false;
            ++counted_.steals_won;
            pause_.begin_work(cycle_count(), local_.took_last());
            // As at the end of a search: the owner may have queued a private task just before it was asked.
            team_.pass_on_wake_up(search_view{*this});
            return true;
        }
        return false;
    }
    void run_dry() noexcept {
        this->give_back_fiber_counts();
        team_.run_dry();
        local_.retire();
        if (team_.is_fixed())
            team_.open_barrier_if_complete();
    }
    void count_run() noexcept {
        if (team_.is_fixed())
            team_.records_[this->slot()].account.count_run();
    }
    // Makes the member active again after a search that took no item of the scheduler.
    void resume() noexcept {
        if constexpr (resuming_scheduler<Scheduler>)
            local_.resume();
    }
    // A worker's search for its next task. Its mailbox is open from the first look on.
    bool search_as_worker() noexcept {
        if (box_ == nullptr)
            return search({*this}, true);
        was_given_ = false;
        search_view everywhere{*this};
        everywhere.box = box_;
        const bool found = search(everywhere, true);
        if (task_header* const given = box_->close()) {
            if (!found) {
                // The search had ended without a task.
                team_.idle().members().end_search();
                team_.pass_on_wake_up(everywhere);
                resume();
            }
            if (found_ != nullptr) {
                // The task that the search has found beside the queue may be bound, or a guest's call, so not every
                // member may run it. The job may run anywhere, so it goes into the queue, where its maker finds it,
                // too.
                sanitizers::happens_before(given);
                put_on_top(*given);
                return true;
            }
            found_ = note_given(*given);
        }
        return found || was_given_;
    }
    // After a short task from the mailbox the next one often comes at once, as in loops that follow each other. So the
    // member waits for it, about as long as it takes to fall asleep and to be woken. Meanwhile it does not count as
    // idle, so no thread that makes a task visible relies on it. nullptr: nothing came.
    task_header* await_given() noexcept {
        constexpr std::int64_t longest_task = 1 << 14, longest_wait = 1 << 15;
        constexpr unsigned looks_per_round = 4;
        const std::int64_t begin = cycle_count();
        if (!was_given_ || begin - given_at_ > longest_task)
            return nullptr;
        const idle_time until_done(team_.counts() ? &counted_ : nullptr);
        const scoped_activity waiting(activity::search);
        was_given_ = false;
        // relaxed: see search_view::finished().
        while (cycle_count() - begin < longest_wait && !team_.over_.load(std::memory_order_relaxed)) {
            for (unsigned looks = 0; looks < looks_per_round; ++looks) {
                if (task_header* const given = box_->take())
                    return note_given(*given);
                cpu_relax();
            }
        }
        task_header* const given = box_->close();
        return given != nullptr ? note_given(*given) : nullptr;
    }
    task_header* note_given(task_header& given) noexcept {
        ++counted_.run;
        was_given_ = true;
        given_at_ = cycle_count();
        return &given;
    }
    bool search(search_view what, bool may_leave) noexcept;

    theft_pause pause_;
    mailbox<task_header>* const box_;  // nullptr: its team has none
    bool was_given_ = false;  // whether its last task came from there; and when, in cycles
    std::int64_t given_at_ = 0;
    slot_counts counted_before_;  // in the slot, up to the last hand-in of counters
};

}  // namespace teff

#include <teff/team/member_search.hpp>
