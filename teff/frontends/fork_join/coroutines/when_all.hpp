// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// when_all(): several tasks at the same time. The first one begins on the calling thread. Each of the others is handed
// to the team like a task of a group (group_state.hpp), if one is wanted there; otherwise it stays in the loop of the
// calling thread (run_loop.hpp), which runs it next, or hands it over when a worker has asked for work.
//
// One word counts everything that must end before the awaiting coroutine continues: each task, and each piece of work
// that was handed to the team. A piece ends when its thread returns from the task's coroutine: the task has ended, or
// awaits something else. The thread that counts down to zero resumes the awaiting coroutine on its loop.
//
// The awaiting coroutine continues where its last task ends, so it has no fixed place in program order at which views
// of ordered reducers could be joined. So the views of a piece are dropped.
//
// A task of a team that was asked to stop is not begun, and its result is the exception `stopped`.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/fits.hpp>
#include <teff/frontends/fork_join/coroutines/run_loop.hpp>
#include <teff/frontends/fork_join/coroutines/task.hpp>
#include <teff/frontends/fork_join/group_state.hpp>
#include <teff/frontends/fork_join/group_task.hpp>
#include <teff/frontends/fork_join/job.hpp>
#include <teff/frontends/fork_join/views.hpp>

#include <array>
#include <coroutine>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace teff {

namespace coroutines {

class all_wait;

// One of the tasks, in the frame of when_all().
class part : task_header, end_hook, pending_task {
public:
    template <class T>
    explicit part(task<T>& awaited) noexcept
        : task_header(&run_piece), end_hook{&count_end}, pending_task{&hand_over_if_wanted, &begin_here},
          promise_(awaited.promise()), around_(running_strand().around) {
        promise_.set_hook(*this);
    }

private:
    friend all_wait;

    static void run_piece(task_header& self) noexcept;
    static void count_end(end_hook& self, promise_base& ended) noexcept;
    static bool hand_over_if_wanted(pending_task& self) noexcept;
    static void begin_here(pending_task& self, run_loop& on) noexcept {
        promise_base::start(&on, static_cast<part&>(self).promise_);
    }

    promise_base& promise_;
    const enclosing around_;
    all_wait* whole_ = nullptr;
};

// Awaited by the coroutine of when_all().
class all_wait : public knows_loops {
public:
    explicit all_wait(std::span<part> parts) noexcept : parts_(parts) {}
    all_wait(const all_wait&) = delete;
    all_wait& operator=(const all_wait&) = delete;

    // It refers to this object, since GCC 12 copies what it awaits.
    struct waiter {
        bool await_ready() const noexcept { return whole->parts_.empty(); }
        template <class Promise>
        void await_suspend(std::coroutine_handle<Promise> waiting) const noexcept {
            whole->begin(waiting.promise());
        }
        static constexpr void await_resume() noexcept {}

        all_wait* whole;
    };
    waiter operator co_await() noexcept { return {this}; }

private:
    friend part;

    void begin(promise_base& waiting) noexcept {
        waiting_ = &waiting;
        run_loop own;
        run_loop* const given = waiting_->leave_loop();
        run_loop& loop = given != nullptr ? *given : own;
        // relaxed: the push of a part publishes the count. The first part begins only after this loop, so the count
        // stays above zero.
        left_.store(parts_.size(), std::memory_order_relaxed);
        for (std::size_t i = parts_.size(); i-- != 0;) {
            part& each = parts_[i];
            each.whole_ = this;
            if (i == 0 || !part::hand_over_if_wanted(each))
                loop.add(each);
        }
        // With a loop of its own, this object may be gone afterwards.
        if (given == nullptr)
            own.run();
    }

    // True: nothing is left, and the caller continues the waiting coroutine.
    // release: publishes everything done before; acquire: the thread that counts down to zero sees it of all others.
    // Partners: each other.
    bool count_one() noexcept { return left_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

    const std::span<part> parts_;
    promise_base* waiting_ = nullptr;
    atomic<std::size_t> left_{0};
    forking::group_state group_;
};

inline void part::run_piece(task_header& self) noexcept {
    auto& mine = static_cast<part&>(self);
    all_wait& whole = *mine.whole_;
    const enclosing around = mine.around_;
    run_loop loop;
    {
        const forking::counted_task counted(whole.group_, around);
        forking::own_views own(counted.around());
        if (forking::is_team_stopping())
            mine.promise_.drop(std::make_exception_ptr(stopped()));
        else
            promise_base::run_on(loop, mine.promise_);
        forking::drop_views(own.take());
    }
    whole.group_.end_one();
    if (whole.count_one()) {
        const forking::counted_task counted(around);
        forking::own_views own(counted.around());
        promise_base::run_on(loop, *whole.waiting_);
        forking::drop_views(own.take());
    }
}

inline void part::count_end(end_hook& self, promise_base& ended) noexcept {
    all_wait& whole = *static_cast<part&>(self).whole_;
    if (whole.count_one())
        promise_base::transfer(ended, *whole.waiting_);
}

inline bool part::hand_over_if_wanted(pending_task& self) noexcept {
    if (forking::is_plain())
        return false;
    auto& mine = static_cast<part&>(self);
    all_wait& whole = *mine.whole_;
    try {
        if (!whole.group_.wants_task())
            return false;
    } catch (...) {
        // The team is stopping, or there is no memory or stack for another task: it runs here.
        return false;
    }
    // relaxed: the push publishes it, and the count is above zero.
    whole.left_.fetch_add(1, std::memory_order_relaxed);
    if (whole.group_.submit(mine))
        return true;
    // relaxed: as above.
    whole.left_.fetch_sub(1, std::memory_order_relaxed);
    return false;
}

// The type of a task's result in a tuple: std::monostate for void.
template <class T>
using kept = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

// The results of many tasks of one type.
template <class T>
struct all_results {
    using type = std::vector<T>;
};
template <class T>
struct all_results<T&> {
    using type = std::vector<std::reference_wrapper<T>>;
};
template <>
struct all_results<void> {
    using type = void;
};
template <class T>
using all_of = typename all_results<T>::type;

template <class T>
kept<T> take(task<T>& ended) {
    if constexpr (std::is_void_v<T>) {
        ended.promise().take();
        return {};
    } else {
        return ended.promise().take();
    }
}

// The coroutines that when_all() returns. They own the tasks.
template <class... T>
task<std::tuple<kept<T>...>> run_all(task<T>... tasks) {
    (tasks.require_valid(), ...);
    std::array<part, sizeof...(T)> parts{part(tasks)...};
    all_wait whole(parts);
    co_await whole;
    // In braces, so that they are taken in order.
    co_return std::tuple<kept<T>...>{take(tasks)...};
}
template <class T>
task<all_of<T>> run_all(std::vector<task<T>> tasks) {
    for (const task<T>& each : tasks)
        each.require_valid();
    static_assert(std::is_trivially_destructible_v<part>);
    const std::unique_ptr<std::byte[]> memory(new std::byte[tasks.size() * sizeof(part)]);
    auto* const parts = reinterpret_cast<part*>(memory.get());
    for (std::size_t i = 0; i < tasks.size(); ++i)
        std::construct_at(parts + i, tasks[i]);
    all_wait whole({parts, tasks.size()});
    co_await whole;
    if constexpr (std::is_void_v<T>) {
        for (task<T>& each : tasks)
            each.promise().take();
    } else {
        all_of<T> results;
        results.reserve(tasks.size());
        for (task<T>& each : tasks)
            results.push_back(each.promise().take());
        co_return results;
    }
}

// Whether run_all() can take the arguments over. An lvalue cannot be copied.
template <class... Given>
inline constexpr bool can_be_taken_over = (is_task<Given> && ...);
template <class T>
inline constexpr bool can_be_taken_over<std::vector<task<T>>> = true;

}  // namespace coroutines

// A task that runs the given ones, which may run at the same time on the threads of the team, and has their results as
// a tuple (std::monostate for void). It ends when all have ended. If several throw, the exception of the first one
// in argument order is thrown. Throws std::logic_error if one of them has no coroutine.
// A std::vector of tasks of one type is any number of them. The result is then a vector, of std::reference_wrapper for
// references, or void.
template <class... Given>
auto when_all(Given&&... tasks) {
    constexpr bool are_tasks = coroutines::can_be_taken_over<Given...>;
    if constexpr (are_tasks) {
        return coroutines::run_all(std::move(tasks)...);
    } else {
        static_assert(are_tasks, "teff: when_all() takes teff::task objects, or one std::vector of them, and owns "
                                 "them: pass calls, as in when_all(f(1), f(2)), or std::move(task)");
        return fits::awaitable_unknown();
    }
}

}  // namespace teff
