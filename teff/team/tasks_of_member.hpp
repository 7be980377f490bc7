// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The task queue of a member of a task team, for one scheduler: pushes and takes tasks, and leaves them to other
// members. tasks_beside.hpp takes tasks from other places, and task_member_of.hpp runs tasks and waits; see
// task_team.hpp for the design.
#pragma once

#include <teff/base/sanitizers.hpp>
#include <teff/observe/counters.hpp>
#include <teff/scheduler/scheduler.hpp>
#include <teff/scheduler/termination_detector.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/strand/worker.hpp>
#include <teff/team/task_team.hpp>
#include <teff/team/tasks_beside.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace teff {

template <class Scheduler>
    requires scheduler<Scheduler, task_header*>
class task_team_of;

template <class Scheduler>
    requires scheduler<Scheduler, task_header*>
class tasks_of_member : public tasks_beside {
    using cursor = typename Scheduler::local;
    using lanes = priority_lanes<task_header>;

public:
    bool push(task_header& made) noexcept final {
        sanitizers::happens_before(&made);
        const counted_push counted(*this);
        return counted.taken(push_uncounted(made));
    }
    bool push_next(task_header& made) noexcept final {
        if constexpr (is_asked) {
            if (made.priority == 0) {
                sanitizers::happens_before(&made);
                const counted_push counted(*this);
                const bool is_taken = local_.place(&made) || finish_push(made, true);
                counted_.pushed += is_taken ? 1 : 0;
                return counted.taken(is_taken);
            }
        }
        return push(made);
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
    task_pools* pools() noexcept final { return team_.pools_[slot()].made; }
    task_pools* make_pools() noexcept final {
        task_pools*& made = team_.pools_[slot()].made;
        if (made == nullptr)
            made = create<task_pools>();
        return made;
    }

    task_header* take(const take_rules& may_run) noexcept final {
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

    bool take_back(task_header& queued) noexcept final {
        if constexpr (is_asked) {
            if (team_.is_fixed() || !(local_.take_back(&queued) || take_back_visible(queued)))
                return false;
            ++counted_.run;
            return true;
        }
        return false;
    }
    task_header* take_quickly() noexcept final {
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
    next_task take_in_place_of(task_header& present) noexcept final {
        if constexpr (is_asked) {
            if (team_.is_alone()) {
                // For tasks that yield to each other: without a second look at the team this takes a quarter of the
                // time.
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
    bool takes_newest() const noexcept final {
        if constexpr (is_asked)
            return found_ == nullptr && (team_.lanes_.lanes_in_use() & lanes::urgent_lanes) == 0;
        else
            return false;
    }
    bool push_last(task_header& left) noexcept final {
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

    void show_all() noexcept final {
        if constexpr (is_asked) {
            // The lanes have no bound. Running the task here instead would put it on top of a task that need not be its
            // ancestor.
            while (!team_.is_alone() && !team_.stop_.is_orphaned() && !local_.show_all()) {
                if (task_header* const own = dequeue())
                    team_.put_into_lanes(*own);
            }
        }
        team_.notify_blocked();
    }
    unsigned visible() const noexcept final {
        if constexpr (is_asked)
            return local_.visible();
        else
            return 0;
    }
    std::size_t queued() const noexcept final {
        if constexpr (is_asked)
            return local_.queued();
        else
            return 0;
    }

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

protected:
    static constexpr bool is_asked = shares_on_request_scheduler<Scheduler, task_header*>;

    tasks_of_member(task_team_of<Scheduler>& team, unsigned slot)
        : tasks_beside(team, slot), team_(team), local_(team.scheduler_.enter(slot, this_thread().worker)) {}
    ~tasks_of_member() = default;

    bool local_has_tasks() const noexcept {
        if constexpr (is_asked)
            return local_.queued() != 0 || !behind_.is_empty();
        else
            return false;
    }
    // Takes the next task out of its own queue, to run it or to put it elsewhere.
    task_header* dequeue() noexcept {
        task_header** item = local_.claim();
        if (item == nullptr)
            item = refill();
        if (item == nullptr)
            return nullptr;
        task_header* const own = *item;
        local_.release(item);
        local_.ran_one();
        return own;
    }
    // A scheduler that waits a little for items stops that when the member's own wait has ended, or when there are
    // tasks in other places.
    task_header** refill() {
        if constexpr (awaits_items_scheduler<Scheduler, task_header*>)
            return local_.refill_unless(
                [this] { return (awaited_ != nullptr && awaited_->is_met()) || team_.has_tasks_beside(); });
        else
            return local_.refill();
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

    task_header* take_behind() noexcept {
        task_header* const taken = behind_.take();
        if (taken == nullptr)
            return nullptr;
        // In the child of a fork() this ends the process.
        [[maybe_unused]] const bool is_stopped = team_.stop_.is_set();
        ++counted_.run;
        return taken;
    }

    task_team_of<Scheduler>& team_;
    cursor local_;

    // During this scope the member waits for this condition.
    class scoped_awaited {
    public:
        scoped_awaited(tasks_of_member& self, const wait_condition& awaited) noexcept
            : self_(self), before_(std::exchange(self.awaited_, &awaited)) {}
        ~scoped_awaited() { self_.awaited_ = before_; }
        scoped_awaited(const scoped_awaited&) = delete;
        scoped_awaited& operator=(const scoped_awaited&) = delete;

    private:
        tasks_of_member& self_;
        const wait_condition* const before_;
    };

private:
    static constexpr std::size_t most_put_behind = 8;

    const wait_condition* awaited_ = nullptr;  // of the member's innermost wait

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
    // Called after a task was placed and the slow path is due.
    [[gnu::noinline]] bool finish_push(task_header& placed, bool is_next = false) noexcept {
        try {
            task_header** const refused = is_next ? local_.after_place_next() : local_.after_place();
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
    // Takes a task from its own queue. Moves tasks that it may not run to the lanes.
    task_header* take_queued(const take_rules& may_run) noexcept {
        task_header* own = dequeue();
        if (own == nullptr || may_run(*own)) [[likely]] {
            counted_.run += own != nullptr ? 1 : 0;
            return own;
        }
        return take_behind_refused(*own, may_run);
    }
    // The others are woken once for all of the refused tasks.
    [[gnu::noinline]] task_header* take_behind_refused(task_header& first, const take_rules& may_run) noexcept {
        task_header* own = &first;
        do {
            team_.lanes_.put(*own);
            own = dequeue();
        } while (own != nullptr && !may_run(*own));
        team_.wake_for_lanes();
        counted_.run += own != nullptr ? 1 : 0;
        return own;
    }
    // Takes `queued` back if it is the newest task that other members can take, and the member has no private tasks.
    bool take_back_visible(task_header& queued) noexcept {
        if (local_.visible() == 0 || local_.queued() != local_.visible())
            return false;
        task_header* const newest = dequeue();
        if (newest != nullptr && newest != &queued)
            put_on_top(*newest);
        return newest == &queued;
    }
    // Whether the next task that the member would take is one that it has put behind the queue.
    bool takes_behind_next() const noexcept {
        return !behind_.is_empty() && found_ == nullptr && team_.lanes_.lanes_in_use() == 0 && local_.queued() == 0;
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
    // In a fixed team: counts a push before the task becomes visible, and takes the count back if the task is refused.
    class counted_push {
    public:
        explicit counted_push(tasks_of_member& self) noexcept
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

    // Behind the queue, in a team of one member: tasks that were left, first in, first out. (Other members could not
    // take them.)
    task_list behind_;
};

}  // namespace teff
