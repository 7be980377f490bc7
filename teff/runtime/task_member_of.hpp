// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A member of a task team, for one scheduler: how it pushes, takes and runs tasks, and how it waits. See task_team.hpp
// for the design.
#pragma once

#include <teff/base/backoff.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/runtime/counters.hpp>
#include <teff/runtime/latch_watch.hpp>
#include <teff/runtime/region_barrier.hpp>
#include <teff/runtime/running_strand.hpp>
#include <teff/runtime/task_team.hpp>
#include <teff/runtime/theft_pause.hpp>
#include <teff/runtime/worker.hpp>
#include <teff/scheduler/scheduler.hpp>
#include <teff/scheduler/termination_detector.hpp>

#include <array>
#include <cstdint>
#include <new>
#include <optional>
#include <utility>

namespace teff {

template <class Scheduler>
    requires scheduler<Scheduler, task_header*>
class task_team_of;

template <class Scheduler>
    requires scheduler<Scheduler, task_header*>
class task_member_of final : public task_member {
    using cursor = typename Scheduler::local;
    static constexpr bool is_asked = shares_on_request_scheduler<Scheduler, task_header*>;

public:
    task_member_of(task_team_of<Scheduler>& team, unsigned slot)
        : task_member(team, slot, counts_), team_(team), local_(team.scheduler_.enter(slot, this_thread().worker)),
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

    bool push(task_header& made) noexcept override {
        sanitizers::happens_before(&made);
        const counted_push counted(*this);
        return counted.taken(push_uncounted(made));
    }
    bool push_uncounted(task_header& made) noexcept {
        if (made.priority != 0) [[unlikely]] {
            push_urgent(made);
            return true;
        }
        if constexpr (limits_pending_scheduler<Scheduler>) {
            if (!local_.admits(pending()) && !(gather_some() && local_.admits(pending())))
                return false;
        }
        if constexpr (is_asked) {
            if (!local_.place(&made) && !finish_push(made)) [[unlikely]]
                return false;
        } else {
            try {
                task_header* pushed = &made;
                if (!local_.try_push(std::move(pushed)) && !local_.push_slow(pushed))
                    return false;
            } catch (const std::bad_alloc&) {
                return false;
            }
        }
        ++counted_.pushed;
        return true;
    }
    task_pools* pools() noexcept override { return team_.pools_[slot()].made; }
    task_pools* make_pools() noexcept override {
        task_pools*& made = team_.pools_[slot()].made;
        if (made == nullptr)
            made = create<task_pools>();
        return made;
    }

    task_header* take(const take_rules& may_run) noexcept override {
        if (found_ != nullptr) [[unlikely]] {
            if (task_header* const found = take_found())
                return found;
        }
        task_header* taken = take_from_lanes(lanes::urgent_lanes, may_run);
        if (taken == nullptr)
            taken = take_queued(may_run);
        if constexpr (is_asked) {
            if (taken == nullptr)
                taken = take_behind();
        }
        return taken != nullptr ? taken : take_beside(may_run);
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
        latch_watch watching(awaited, searches ? team_.idle().members() : team_.blocked_);
        while (!awaited.is_met()) {
            task_header* own = rules.leaves_own && others_take_all() ? take_bound() : take(rules.may_run);
            if (own == nullptr && !searches) {
                // Waits for forks terminate: every chain of them ends at a wait for a group or at a running task.
                if (team_.block(*this, awaited, rules, watching, counted_))
                    continue;
                own = take(rules.may_run);
            }
            if (own == nullptr && rules.until != nullptr && ends_soon(awaited))
                continue;
            if (own == nullptr) {
                run_dry();
                // The member owns what it has found, even if the condition was met meanwhile.
                if (search({*this, &awaited, &watching, !searches, rules.may_run, &rules}, false))
                    own = take(rules.may_run);
                else
                    resume();
            }
            if (own != nullptr && own == rules.until) {
                count_run();
                return true;
            }
            if (own != nullptr && rules.runs != nullptr)
                rules.runs(*this, *own);
            else if (own != nullptr)
                run(*own);
            if (team_.stop_.is_orphaned())
                return is_left_to_child(awaited, rules.until);
        }
        return false;
    }

    bool take_back(task_header& queued) noexcept override {
        if constexpr (is_asked) {
            if (team_.is_fixed() || !(local_.take_back(&queued) || take_back_visible(queued)))
                return false;
            ++counted_.run;
            return true;
        }
        return false;
    }
    task_header* take_quickly() noexcept override {
        if constexpr (is_asked) {
            if (takes_behind_next())
                return take_behind();
            const bool has_beside = team_.lanes_.lanes_in_use() != 0;
            if (task_header** const item = takes_newest() ? local_.claim() : nullptr) [[likely]] {
                ++counted_.run;
                task_header* const own = *item;
                local_.release(item);
                return own;
            }
            if (found_ == nullptr && behind_.is_empty() && local_.queued() == 0 && (!has_beside || !has_tasks_beside()))
                return nullptr;
        }
        return take({});
    }
    next_task take_in_place_of(task_header& present) noexcept override {
        if constexpr (is_asked) {
            if (team_.is_alone()) {
                // Tasks that yield to each other, without a second look at the team: that takes a quarter of the time.
                if (takes_behind_next()) {
                    task_header* const taken = take_behind();
                    behind_.add(present);
                    return {taken, true};
                }
                task_header* const taken = take_quickly();
                return {taken, taken != nullptr && push_last(present)};
            }
        }
        return {take_quickly(), false};
    }
    bool takes_newest() const noexcept override {
        if constexpr (is_asked)
            return found_ == nullptr && (team_.lanes_.lanes_in_use() & lanes::urgent_lanes) == 0;
        else
            return false;
    }
    bool push_last(task_header& left) noexcept override {
        sanitizers::happens_before(&left);
        if constexpr (is_asked) {
            if (team_.is_fixed() || left.is_bound() || (team_.lanes_.lanes_in_use() != 0 && has_tasks_beside()))
                return false;
            if (team_.is_alone()) [[likely]] {
                behind_.add(left);
                return true;
            }
            if (local_.queued() != 0)
                return put_behind(left);
            put_on_top(left);
            return true;
        }
        return false;
    }

    unsigned shepherd() noexcept override {
        find_home();
        return seat_.shepherd();
    }
    bool sits_at(unsigned shepherd) noexcept override { return seat_.is_at(shepherd); }
    void end_look() noexcept override {
        if (seat_.is_away() || is_caller_outside_tasks())
            give_up_seat();
    }
    void keep_seat(kept_seat& here) noexcept override { seat_.keep(here); }
    void end_keeping_seat(const kept_seat& here) noexcept override {
        if (seat_.end_keeping(here, team_.bound()))
            team_.wake_for_bound();
        found_ = seat_.is_away() ? &away_mark_ : nullptr;
    }
    void give_up_seat() noexcept override {
        if (!seat_.is_taken()) [[likely]]
            return;
        if (found_ == &away_mark_)
            found_ = nullptr;
        if (seat_.give_up(*team_.bound()))
            team_.wake_for_bound();
    }

    // Which tasks it takes out of the lanes.
    auto accepts(const take_rules& may_run) const noexcept {
        return [this, &may_run](const task_header& offered) {
            return may_run(offered) && (team_.is_fixed() || may_run_here(offered));
        };
    }
    // Whether a look by this member for bound tasks might succeed now.
    bool has_bound_tasks() const noexcept {
        const bound_tasks* const tasks = team_.bound();
        return tasks != nullptr && seat_.has_tasks(*tasks);
    }

    void show_all() noexcept override {
        if constexpr (is_asked) {
            // There is no bound on the lanes. To run a task here would put it on top of a task that it need not descend
            // from.
            while (!team_.is_alone() && !team_.stop_.is_orphaned() && !local_.show_all()) {
                if (task_header* const own = dequeue())
                    team_.put_into_lanes(*own);
            }
        }
        team_.notify_blocked();
    }
    unsigned visible() const noexcept override {
        if constexpr (is_asked)
            return local_.visible();
        else
            return 0;
    }
    std::size_t queued() const noexcept override {
        if constexpr (is_asked)
            return local_.queued();
        else
            return 0;
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
        if (!team_.is_fixed())
            return;
        const region_barrier::arrival mine = team_.barrier_.arrive();
        if (mine.order == team_.in_region() && team_.open_barrier_if_complete())
            return;
        const wait_condition opening = team_.barrier_.condition_for(mine.awaited);
        if (task_header* const own = take({}))
            run(*own);
        else if (team_.first_looks_.is_met_soon([&] { return opening.is_met(); }))
            return;
        [[maybe_unused]] const bool taken_back = wait(opening, {});
    }
    bool wait_at_cancellable_barrier() noexcept override {
        if (!team_.is_fixed())
            return false;
        cancellable_barrier& barrier = team_.cancellable_barrier_;
        if (!barrier.is_given_up()) {
            [[maybe_unused]] const bool taken_back = wait(barrier.arrive(), {});
        }
        return barrier.is_given_up();
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
        if (!search({*this}, true))
            return;
        team_.begin_work();
        do {
            run_own();
            run_dry();
        } while (search({*this}, true));
        team_.end_work();
    }

    // For a member of regions that enters the scheduler: becomes active, without a task yet.
    void begin() noexcept { resume(); }
    // For a guest that leaves: gives the tasks that it has queued to the other members.
    void leave_tasks() noexcept {
        // In the child of a fork() the other members do not exist: is_set() ends the process with a message.
        [[maybe_unused]] const bool stopped = team_.stop_.is_set();
        give_up_seat();
        while (task_header* const own = dequeue())
            team_.put_into_lanes(*own);
        while (task_header* const left = behind_.take())
            team_.put_into_lanes(*left);
        give_back_fiber_counts();
        local_.retire();
    }
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
    static constexpr std::size_t most_put_behind = 8;

    // Linked through the tasks. Only the member uses it.
    class task_list {
    public:
        void add(task_header& last) noexcept {
            // relaxed, here and below: no other thread reads it.
            last.next.store(nullptr, std::memory_order_relaxed);
            if (first_ == nullptr)
                first_ = &last;
            else
                last_->next.store(&last, std::memory_order_relaxed);  // relaxed: as above
            last_ = &last;
        }
        bool is_empty() const noexcept { return first_ == nullptr; }
        // nullptr: it is empty.
        task_header* take() noexcept {
            task_header* const taken = first_;
            if (taken != nullptr)
                first_ = taken->next.load(std::memory_order_relaxed);  // relaxed: as above
            return taken;
        }

    private:
        task_header* first_ = nullptr;
        task_header* last_ = nullptr;
    };

    // The search of a member, for team::search(). With a condition the search ends when it is met; for a member
    // that looks only for visible tasks also when there are none. Without one it ends when the team is over and no
    // task is visible.
    struct search_view {
        task_member_of& self;
        const wait_condition* awaited = nullptr;
        latch_watch* watching = nullptr;
        bool only_visible = false;
        const take_rules& may_run = any_task;
        const wait_rules* rules = nullptr;

        wait_reason why() const noexcept { return self.why(rules); }
        bool finished() const noexcept {
            if (awaited != nullptr)
                return awaited->is_met() || (only_visible && !has_visible_work());
            // relaxed: it is enough to see the change soon; the flag publishes no other data.
            const bool is_over = self.team_.over_.load(std::memory_order_relaxed);
            return (is_over && !has_visible_work()) || self.team_.idle().bursts().is_quiet();
        }
        bool take() noexcept {
            self.found_ = self.take_beside(may_run);
            return self.found_ != nullptr || self.local_.steal();
        }
        bool has_visible_work() const noexcept {
            return self.team_.has_visible_work_for(self, may_run) || self.team_.has_unattended();
        }
        bool hides_work() const noexcept { return self.team_.hides_work(); }
        // A member that looks only for visible tasks does not sleep in this search: the end of a group wakes it on
        // another event count (task_team_of::block()).
        bool has_work() const noexcept {
            return only_visible || self.team_.scheduler_.has_work_for(self.slot()) ||
                   self.team_.has_visible_work_for(self, may_run) || self.has_bound_tasks();
        }
        void before_sleep() const noexcept {
            if (watching != nullptr)
                watching->begin();
            self.team_.scheduler_.request();
        }
    };
    static constexpr take_rules any_task{};

    // The number of its tasks that have not run: those from its pools, and the shared jobs of its open forks.
    std::size_t pending() noexcept {
        return (pools() != nullptr ? pools()->pending() : 0) + running_strand().shared;
    }
    // True: some tasks that this member made are now known to have run.
    bool gather_some() noexcept {
        if (pools() == nullptr)
            return false;
        const std::size_t before = pools()->pending();
        pools()->gather_some();
        return pools()->pending() != before;
    }
    // After a task was placed and the slow path is due.
    [[gnu::noinline]] bool finish_push(task_header& placed) noexcept {
        try {
            task_header** const refused = local_.after_place();
            if (refused == nullptr)
                return true;
            local_.release(refused);
            task_header* again = &placed;
            return local_.push_slow(again);
        } catch (const std::bad_alloc&) {
            return false;
        }
    }
    void push_urgent(task_header& made) noexcept {
        team_.put_into_lanes(made);
        ++counted_.pushed;
    }

    task_header* take_from_lanes(std::uint64_t among, const take_rules& may_run) noexcept {
        task_header* const taken = team_.lanes_.take(among, accepts(may_run));
        counted_.run += taken != nullptr ? 1 : 0;
        return taken;
    }
    // Takes a task that is in no queue of the scheduler. While the team has bound tasks, the lanes, the inbox of the
    // member's shepherd and those of others are looked into in turn, so that fibers that yield for ever in one of them
    // keep none in another one from running.
    task_header* take_beside(const take_rules& may_run) noexcept {
        const std::uint64_t used = team_.lanes_.lanes_in_use();
        if (used == 0) [[likely]]
            return nullptr;
        return (used & lanes::others) == 0 ? take_from_lanes(lanes::all_lanes, may_run) : take_in_turn(may_run);
    }
    [[gnu::noinline]] task_header* take_in_turn(const take_rules& may_run) noexcept {
        // Rules are those of fixed teams, which have no bound tasks: these are the OpenMP runtime's.
        if (!team_.bound()->any() || may_run.accepts != nullptr)
            return take_from_lanes(lanes::all_lanes, may_run);
        constexpr unsigned lists = 3;
        const unsigned first = turn_++;
        task_header* taken = nullptr;
        for (unsigned i = 0; taken == nullptr && i < lists; ++i) {
            const unsigned list = (first + i) % lists;
            taken = list == 0 ? take_from_lanes(lanes::all_lanes, may_run) : take_bound(list == 1);
        }
        return taken;
    }
    // For a member that may take no other tasks.
    task_header* take_bound() noexcept {
        if (team_.bound() == nullptr)
            return nullptr;
        if (task_header* const found = found_ != nullptr ? take_found() : nullptr)
            return found;
        task_header* const own = take_bound(true);
        return own != nullptr ? own : take_bound(false);
    }
    task_header* take_bound(bool is_own) noexcept {
        find_home();
        bound_tasks& tasks = *team_.bound();
        bool to_wake = false;
        // The pool's idle workers were woken, too.
        const bool is_patient = pool::instance().idle().idle() != 0;
        task_header* const taken = is_own ? seat_.take(tasks) : seat_.take_elsewhere(tasks, is_patient, to_wake);
        if (to_wake)
            team_.wake_for_bound();
        return taken != nullptr ? note_bound(*taken) : nullptr;
    }
    task_header* note_bound(task_header& taken) noexcept {
        ++counted_.run;
        if (seat_.is_away())
            found_ = &away_mark_;
        return &taken;
    }
    // What a search has found, or, after a bound task of another shepherd was left, one more of these; otherwise the
    // member has gone home.
    [[gnu::noinline]] task_header* take_found() noexcept {
        task_header* const found = std::exchange(found_, nullptr);
        if (found != &away_mark_) {
            if (seat_.is_away())
                found_ = &away_mark_;
            return found;
        }
        if (task_header* const next = seat_.take_one_more(*team_.bound()))
            return note_bound(*next);
        give_up_seat();
        return nullptr;
    }
    // Whether a task that is left has to queue in the lanes, so that each of those beside the queue has its turn.
    [[gnu::noinline]] bool has_tasks_beside() const noexcept { return team_.has_tasks_beside(); }
    [[gnu::noinline]] void find_home() noexcept {
        if (!seat_.has_home())
            seat_.set_home(team_.shepherds().of(slot(), this_thread().worker));
    }
    // Takes a task from its own queue. Moves tasks that it may not run to the lanes.
    task_header* take_queued(const take_rules& may_run) noexcept {
        while (task_header* const own = dequeue()) {
            if (may_run(*own)) [[likely]] {
                ++counted_.run;
                return own;
            }
            team_.put_into_lanes(*own);
        }
        return nullptr;
    }
    // Takes the next task out of its own queue, to run it or to put it elsewhere.
    task_header* dequeue() noexcept {
        task_header** item = local_.claim();
        if (item == nullptr)
            item = local_.refill();
        if (item == nullptr)
            return nullptr;
        task_header* const own = *item;
        local_.release(item);
        local_.ran_one();
        return own;
    }
    // Takes the newest task that others can take, if it is this one and there is none that they cannot take.
    bool take_back_visible(task_header& queued) noexcept {
        if (local_.visible() == 0 || local_.queued() != local_.visible())
            return false;
        task_header* const newest = dequeue();
        if (newest != nullptr && newest != &queued)
            put_on_top(*newest);
        return newest == &queued;
    }
    // Whether it has put tasks behind, and nothing else that it would take.
    bool takes_behind_next() const noexcept {
        return !behind_.is_empty() && found_ == nullptr && team_.lanes_.lanes_in_use() == 0 && local_.queued() == 0;
    }
    task_header* take_behind() noexcept {
        task_header* const taken = behind_.take();
        if (taken == nullptr)
            return nullptr;
        // In the child of a fork() this ends the process.
        [[maybe_unused]] const bool is_stopped = team_.stop_.is_set();
        ++counted_.run;
        return taken;
    }
    void put_on_top(task_header& ready) noexcept {
        task_header* pushed = &ready;
        try {
            if (local_.try_push(std::move(pushed)))
                return;
        } catch (const std::bad_alloc&) {
            // As if the queue had refused it.
        }
        team_.put_into_lanes(ready);
    }
    // Takes the queued tasks out and puts them on top again, which is cheap for a few. False: they are many, or others
    // can take some of them.
    [[gnu::noinline]] bool put_behind(task_header& last) noexcept {
        if (local_.queued() > most_put_behind || local_.visible() != 0)
            return false;
        std::array<task_header*, most_put_behind> above;
        std::size_t count = 0;
        while (task_header** const item = count < above.size() ? local_.claim() : nullptr) {
            above[count++] = *item;
            local_.release(item);
        }
        put_on_top(last);
        while (count != 0)
            put_on_top(*above[--count]);
        return true;
    }
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

    void run_dry() noexcept {
        give_back_fiber_counts();
        team_.run_dry();
        local_.retire();
        if (team_.is_fixed())
            team_.open_barrier_if_complete();
    }
    void count_run() noexcept {
        if (team_.is_fixed())
            team_.records_[slot()].account.count_run();
    }
    // In a fixed team: counts a push before the task becomes visible, and takes the count back if the task is refused.
    class counted_push {
    public:
        explicit counted_push(task_member_of& self) noexcept
            : account_(self.team_.is_fixed() ? &self.team_.records_[self.slot()].account : nullptr) {
            if (account_ != nullptr)
                account_->count_push();
        }
        bool taken(bool is_taken) const noexcept {
            if (account_ != nullptr && !is_taken)
                account_->take_back();
            return is_taken;
        }

    private:
        termination_detector::account* const account_;
    };
    // Makes the member active again after a search that took no item of the scheduler.
    void resume() noexcept {
        if constexpr (resuming_scheduler<Scheduler>)
            local_.resume();
    }
    bool search(search_view what, bool may_leave) noexcept {
        if constexpr (is_asked)
            pause_.end_work_and_pause([&] { return what.finished(); });
        const bool found = team_.search(what, may_leave, counted_);
        if constexpr (is_asked) {
            if (found)
                pause_.begin_work(cycle_count());
        }
        if (found_ != nullptr)
            resume();
        return found;
    }

    task_team_of<Scheduler>& team_;
    cursor local_;
    theft_pause pause_;
    // Behind the queue, in a team of one member: tasks that were left, first in, first out. (Other members could not
    // take them.)
    task_list behind_;
    task_header* found_ = nullptr;  // found beside the queue by a search; already counted as run; or away_mark_
    seat seat_;
    unsigned turn_ = 0;             // of the lists beside the queue
    worker_counters counts_;
    slot_counts counted_before_;    // in the slot, up to the last hand-in of counters
};

}  // namespace teff
