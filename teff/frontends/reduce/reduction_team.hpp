// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The team of one reduction: a scheduler, a member record per slot, and the first tasks.
//
// The team lives on the caller's stack for the duration of the call. The scheduler's type is chosen before the team is
// made. A worker joins by virtual calls (join(), which calls work()). From there on all code is compiled for that type;
// the only indirect call in the task loop is the one of enq's slow path (task_pool.hpp). The library compiles this
// team, too, with a body that calls the user's body (common_form.hpp).
//
//   reduction_members   what its workers do: search, run items, add up
//   reduction_team      its caller, which enqueues the first tasks and works as member 0
// Another library's team of the same members may have another caller (teff/mpi/rank_team.hpp).
#pragma once

#include <teff/base/light_standard.hpp>
#include <teff/frontends/reduce/member.hpp>
#include <teff/frontends/reduce/result.hpp>
#include <teff/frontends/reduce/task_pool.hpp>
#include <teff/scheduler/scheduler.hpp>
#include <teff/scheduler/slots.hpp>
#include <teff/team/team.hpp>

#include <exception>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

namespace teff::reducing {

// Whether `fun` is the first element of an array with a body for each slot; otherwise all slots share one body.
template <class Fun>
inline constexpr bool is_body_of_slot = false;

template <class Scheduler, class Fun, class Task, class R>
    requires scheduler<Scheduler, Task>
class reduction_members : public team {
public:
    // Throws std::bad_alloc.
    reduction_members(const scheduler_settings& settings, long spin_us, Fun& fun)
        : team(settings.slots, spin_us, settings.counts), scheduler_(settings, idle()), members_(settings.slots),
          fun_(fun), inline_depth_(settings.inline_depth) {}

    bool has_visible_work() const noexcept override { return scheduler_.has_visible_work(); }
    bool hides_work() const noexcept override { return hides_work_in(scheduler_); }
    void request() noexcept override { scheduler_.request(); }
    void cancel() noexcept override { scheduler_.cancel(); }
    void orphan() noexcept override { scheduler_.orphan(); }
    std::size_t queued_estimate() const noexcept override { return scheduler_.queued_estimate(); }

    // Called when the fast path finds no item: looks for the member's own items, then for those of others. Returns a
    // claimed item, or nullptr: the member should leave.
    Task* next_item(typename Scheduler::local& local, unsigned slot) noexcept {
        do {
            if (Task* const item = refill(local))
                return item;
            run_dry();
            local.retire();
        } while (search(scheduler_, local, slot, members_[slot].record.counters(), pause_of(slot)));
        return nullptr;
    }

protected:
    using cursor = typename Scheduler::local;
    using member_record = member<reduction_members, Scheduler, Fun, Task, R>;
    // A class may not ask for less alignment than its members have, and a result may be over-aligned.
    struct alignas(false_sharing_range) alignas(member_record) slot_record {
        member_record record;
        theft_pause pause;
    };

    ~reduction_members() = default;

    // Works as the member of this slot, which is not the caller's, until there is nothing to do.
    void work_as_worker(unsigned slot, unsigned worker) noexcept {
        std::optional<cursor> local = try_enter(slot, worker);
        // Without memory for a queue the worker leaves, and the other members do the work.
        if (!local)
            return;
        // Before the search, which may lose thefts to other threads.
        const slot_counts before = counts() ? local->counted() : slot_counts{};
        if (search(scheduler_, *local, slot, members_[slot].record.counters(), pause_of(slot))) {
            begin_work();
            work_as_member(*local, slot);
            end_work();
        }
        hand_in_counters(*local, slot, worker, before);
        scheduler_.leave(*local);
    }

    void work_as_member(cursor local, unsigned slot) noexcept {
        members_[slot].record.work(*this, local, slot, body_of(slot), inline_depth_, counts());
    }
    Fun& body_of(unsigned slot) noexcept {
        if constexpr (is_body_of_slot<Fun>)
            return address_of(fun_)[slot];
        else
            return fun_;
    }
    theft_pause* pause_of(unsigned slot) noexcept {
        return shares_on_request_scheduler<Scheduler, Task> ? &members_[slot].pause : nullptr;
    }
    // Adds the members' sums to `total`, when they all have left. Throws what adding throws.
    void add_partial_sums(R& total) {
        const auto partial_sum = [](void* self, unsigned slot) noexcept -> void* {
            return static_cast<reduction_members*>(self)->members_[slot].record.partial();
        };
        add_up(address_of(total), {members_.size(), this, partial_sum}, sum_type::of<R>());
    }

    // Adds what the member has counted, and what its slot has counted since `before`, to the worker's counters.
    void hand_in_counters(const cursor& local, unsigned slot, unsigned worker, const slot_counts& before) noexcept {
        if (!counts())
            return;
        const slot_counts after = local.counted();
        worker_counters counted = std::exchange(members_[slot].record.counters(), {});
        counted.pushed += after.pushed - before.pushed;
        counted.run += after.run - before.run;
        counted.requests_served += after.requests_served - before.requests_served;
        counted.combining_rounds += after.combining_rounds - before.combining_rounds;
        counted.combined += after.combined - before.combined;
        counted.steals_contended += after.steals_contended - before.steals_contended;
        add_counters(worker, counted);
    }

    // A move that throws loses items, so the team fails and the remaining items are dropped.
    Task* refill(typename Scheduler::local& local) noexcept {
        try {
            return local.refill();
        } catch (...) {
            fail(std::current_exception());
            local.drop_all();
            return nullptr;
        }
    }

    std::optional<cursor> try_enter(unsigned slot, unsigned worker) noexcept {
        try {
            return scheduler_.enter(slot, worker);
        } catch (const std::bad_alloc&) {
            return std::nullopt;
        }
    }

    Scheduler scheduler_;
    slots<slot_record> members_;
    Fun& fun_;
    const unsigned inline_depth_;
};

template <class Scheduler, class Fun, class Task, class R>
class reduction_team final : public reduction_members<Scheduler, Fun, Task, R> {
    using members = reduction_members<Scheduler, Fun, Task, R>;
    using cursor = typename members::cursor;
    using members::caller_slot, members::members_, members::scheduler_;

public:
    using members::members;

    // Runs the tasks that `add_first(enq)` enqueues and all tasks that these enqueue, and adds their results to
    // `total`. Throws the first exception that was kept by team::fail(), or what `add_first` or adding results throws.
    template <class AddFirst>
    void run(R& total, AddFirst&& add_first) {
        cursor start = scheduler_.enter(caller_slot, this_thread().worker);
        try {
            add_first([&](Task task) {
                if constexpr (!Scheduler::counts_items)
                    ++members_[caller_slot].record.counters().pushed;
                if constexpr (first_item_scheduler<Scheduler, Task>)
                    start.push_first(task);
                else if (!start.try_push(std::move(task)) && !start.push_slow(task))
                    start.push_overflow(task);
            });
        } catch (...) {
            start.drop_all();
            throw;
        }
        caller_start_ = start;
        this->run_as_caller();
        this->rethrow_failure();
        if constexpr (!std::is_same_v<R, nothing>)
            this->add_partial_sums(total);
    }

private:
    void work(unsigned slot, unsigned worker) noexcept override {
        if (slot != caller_slot) {
            this->work_as_worker(slot, worker);
            return;
        }
        this->work_as_member(*caller_start_, slot);
        // The caller has pushed the first items before; its counts include them.
        this->hand_in_counters(*caller_start_, slot, worker, {});
    }

    std::optional<cursor> caller_start_;
};

}  // namespace teff::reducing
