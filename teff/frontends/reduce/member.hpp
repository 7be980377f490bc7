// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The task loop of one member (Blaze-Tasks, Fig. 4a), compiled for one scheduler, task type and body.
//
// The loop adds results to a local variable, and adds that sum to the member's partial result when it ends. A refused
// task runs at once inside enq, and its result is added to the partial result directly. Up to inline_depth such tasks
// may be nested, as long as the stack has room; beyond that, a refused task is queued without regard to the queue's
// bounds. The first exception that leaves any task cancels the team; its members then drop their items.
#pragma once

#include <teff/base/light_standard.hpp>
#include <teff/base/request_mark.hpp>
#include <teff/counters.hpp>
#include <teff/frontends/reduce/result.hpp>
#include <teff/frontends/reduce/task_pool.hpp>
#include <teff/strand/stack.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace teff::reducing {

// Whether the loop copies the body, so that a small one can live in registers. Such a body must have no state that
// changes.
template <class Fun>
inline constexpr bool copied_per_member = std::is_trivially_copyable_v<Fun> && sizeof(Fun) <= 128;

template <class Team, class Scheduler, class Fun, class Task, class R>
class member : task_context<Scheduler, Task> {
    using context = task_context<Scheduler, Task>;

public:
    using cursor = typename Scheduler::local;

    member() noexcept : context{slow_path()} {}

    // Works until the search for items ends. `slot`: the slot of the cursor; counts: whether to count items.
    void work(Team& team, cursor start, unsigned slot, Fun& fun, unsigned inline_depth, bool counts) noexcept {
        team_ = &team;
        fun_ = address_of(fun);
        depth_left_ = inline_depth;
        stack_ = &measured_stack();
        bool ended = false;
        try {
            if (!partial_)
                partial_.emplace();
            R sum{};
            run_all(start, slot, sum, ended, counts);
            *partial_ += std::move(sum);
        } catch (...) {
            team.fail(std::current_exception());
        }
        // If an exception came before the loop, no item ran. The team is cancelled then, so next() drops the items.
        while (!ended) {
            start = next(*this, start, slot);
            ended = found_ == nullptr;
        }
    }

    // The partial result of all threads that worked in this slot, or nullptr. For the caller, when the team has closed.
    R* partial() noexcept { return partial_ ? address_of(*partial_) : nullptr; }

    // What this class counts; the scheduler counts the rest.
    worker_counters& counters() noexcept { return counters_; }

private:
    static constexpr auto slow_path() noexcept {
        if constexpr (placing_scheduler<Scheduler, Task>)
            return &enq_placed;
        else
            return &enq_slow;
    }
    // A claimed item. It is released after its task was moved out, also if the move throws.
    struct claimed {
        cursor& local;
        Task* item;
        ~claimed() { local.release(item); }
        Task take() { return Task(std::move(*item)); }
    };
    struct running {
        cursor& local;
        ~running() { local.ran_one(); }
    };
    void run_all(cursor start, unsigned slot, R& sum, bool& ended, bool counts) {
        if constexpr (copied_per_member<Fun>) {
            Fun fun = *fun_;
            run_counted(start, slot, fun, sum, ended, counts);
        } else {
            run_counted(start, slot, *fun_, sum, ended, counts);
        }
    }
    // For a scheduler that does not count items there is a second loop, which counts them, so that the first loop pays
    // nothing for it.
    void run_counted(cursor start, unsigned slot, Fun& fun, R& sum, bool& ended, bool counts) {
        if constexpr (Scheduler::counts_items)
            run_loop<false>(start, slot, fun, sum, ended);
        else if (counts)
            run_loop<true>(start, slot, fun, sum, ended);
        else
            run_loop<false>(start, slot, fun, sum, ended);
    }

    // With GCC small tasks run in a loop that ends with the next claim, which saves one jump per task. For the bodies
    // of large tasks GCC has fewer registers left in such a loop. Clang generates as few instructions for the plain
    // loop, and with the other one fib takes 1.5 times as long.
#if defined(__clang__)
    static constexpr bool has_tight_loop = false;
#else
    static constexpr bool has_tight_loop = sizeof(Task) <= 2 * sizeof(void*);
#endif

    // The loop of Fig. 4a. The pool is a local variable; its address is passed only to the body.
    template <bool Counts>
    void run_loop(cursor start, unsigned slot, Fun& fun, R& total, bool& ended) {
        task_pool<Scheduler, Task, Counts> tasks(*this, start);
        R sum = std::move(total);
        [[maybe_unused]] std::uint64_t ran = 0;
        // Inlined early, since the captures are the variables that should be in registers.
        const auto run_claimed = [&](Task* item) __attribute__((always_inline)) {
            if constexpr (claims_at_cursor_scheduler<Scheduler, Task>)
                item = tasks.local().claimed_item();
            if constexpr (Counts)
                ++ran;
            // An exception of a task cancels the team; then next() drops the items and finds nothing more.
            try {
                Task task = claimed{tasks.local(), item}.take();
                const running until_done{tasks.local()};
                accumulate(sum, fun, tasks, std::move(task));
            } catch (...) {
                team_->fail(std::current_exception());
            }
        };
        const auto find_more = [&]() __attribute__((always_inline)) {
            tasks.local() = next(*this, tasks.local(), slot);
            return found_;
        };
        Task* item = nullptr;
        if constexpr (has_tight_loop) {
            item = tasks.local().claim();
            while (item != nullptr || (item = find_more()) != nullptr) {
                do
                    run_claimed(item);
                while ((item = tasks.local().claim()) != nullptr);
            }
        } else {
            while ((item = tasks.local().claim()) != nullptr || (item = find_more()) != nullptr)
                run_claimed(item);
        }
        counters_.run += ran;
        counters_.pushed += tasks.pushed();
        // Before the move, which may throw: the caller's copy of the cursor is stale and must not be used after the
        // loop.
        ended = true;
        total = std::move(sum);
    }

    // Stores the next claimed item in found_, or nullptr if the member should leave.
    [[gnu::noinline]] static cursor next(member& self, cursor local, unsigned slot) noexcept {
        self.found_ = self.team_->next_item(local, slot);
        return local;
    }

    // These two are out of line: the queue is full, a thief has sent a request, or the team was cancelled. An exception
    // here is not the fault of the task that enqueues, so it does not reach that task: the team fails and is cancelled.
    [[gnu::noinline]] static cursor enq_slow(context& base, cursor local, Task& task) noexcept {
        auto& self = static_cast<member&>(base);
        try {
            const bool taken = local.push_slow(task);
            if (!taken && self.may_run_now())
                return self.run_now(local, std::move(task));
            if (!taken)
                local.push_overflow(task);
            if constexpr (!Scheduler::counts_items)
                ++self.counters_.pushed;
        } catch (...) {
            self.team_->fail(std::current_exception());
        }
        return local;
    }

    [[gnu::noinline]] static cursor enq_placed(context& base, cursor local) noexcept {
        auto& self = static_cast<member&>(base);
        try {
            Task* const refused = local.after_place();
            if (refused != nullptr) {
                Task task = claimed{local, refused}.take();
                if (self.may_run_now())
                    return self.run_now(local, std::move(task));
                local.push_overflow(task);
            }
            if constexpr (!Scheduler::counts_items)
                ++self.counters_.pushed;
        } catch (...) {
            self.team_->fail(std::current_exception());
        }
        return local;
    }

    bool may_run_now() const noexcept {
        return depth_left_ != 0 && !stack_->is_below_limit(stack_pointer());
    }

    cursor run_now(cursor local, Task&& task) noexcept {
        task_pool<Scheduler, Task, !Scheduler::counts_items> nested(*this, local);
        --depth_left_;
        try {
            accumulate(*partial_, *fun_, nested, std::move(task));
        } catch (...) {
            team_->fail(std::current_exception());
        }
        ++depth_left_;
        ++counters_.run_at_once;
        counters_.pushed += nested.pushed();
        return nested.local();
    }

    Team* team_ = nullptr;
    Fun* fun_ = nullptr;
    Task* found_ = nullptr;
    unsigned depth_left_ = 0;
    const stack_bounds* stack_ = nullptr;  // of the thread that runs work()
    worker_counters counters_;
    std::optional<R> partial_;
};

}  // namespace teff::reducing
