// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A single task with a result: spawn() hands over a function and returns a handle, which later gives its result.
//
//   teff::handle<long> left = teff::spawn([] { return count(0, 1000); });
//   const long right = count(1000, 2000);
//   return left.get() + right;
//
// Like task_group::run(), spawn() may call the function itself before it returns; task_group.hpp says what follows from
// that. fork_join() costs less; a task_group costs less per task.
#pragma once

#include <teff/base/fits.hpp>
#include <teff/frontends/fork_join/child.hpp>
#include <teff/frontends/fork_join/execute.hpp>
#include <teff/frontends/fork_join/group_state.hpp>
#include <teff/frontends/fork_join/group_task.hpp>

#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace teff {

class arena;

namespace forking {

// A group of one task, and the task's result.
template <class T>
class spawned {
public:
    ~spawned() { state_.end(); }

    group_state& state() noexcept { return state_; }
    template <class F>
    void run_here(F& f) noexcept {
        try {
            result_.emplace(call(f));
        } catch (...) {
            state_.fail(std::current_exception());
        }
    }
    T take_result() {
        state_.wait();
        state_.finish();
        // The task was dropped.
        if (!result_)
            throw_stopped();
        return std::move(*result_);
    }

private:
    std::optional<T> result_;
    group_state state_;
};

}  // namespace forking

// T: the type of the result, by value; or void. A handle may be moved to other threads, and is used by one thread at a
// time. Its destructor waits for the function, and then discards the function's result or exception.
template <class T>
class [[nodiscard("a handle waits for its function when it is destroyed")]] handle {
    using stored = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

public:
    // Refers to no function.
    handle() noexcept = default;

    // Whether the handle refers to a function whose result get() has not yet fetched.
    [[nodiscard]] bool valid() const noexcept { return made_ != nullptr; }
    // Whether get() would return at once. Requires valid(). To poll this in a loop is to block: see task_group.hpp.
    [[nodiscard]] bool is_ready() const noexcept { return made_->state().is_over(); }
    // Returns when the function has ended; the calling thread runs other work meanwhile. Requires valid().
    void wait() const noexcept { made_->state().wait(); }
    // Waits like wait(), and then returns what the function returned or throws what it threw. Throws stopped if the
    // function was dropped because the enclosing call of execute() was asked to stop. The handle is not valid
    // afterwards. The function's additions to ordered reducers are included after this call, or after the handle's
    // destructor. Requires valid().
    T get() {
        const std::unique_ptr<forking::spawned<stored>> last = std::move(made_);
        if constexpr (std::is_void_v<T>)
            last->take_result();
        else
            return last->take_result();
    }

private:
    friend class arena;
    template <class F>
    friend auto spawn(F&& f);

    std::unique_ptr<forking::spawned<stored>> made_;
};

// Calls a copy of `f`, or an object moved from it, once: now or later, on this thread or another one. Any
// thread. Throws what copying or moving `f` throws, std::bad_alloc, stack_exhausted or stopped; then `f` is not called.
template <class F>
[[nodiscard("the handle waits for the function when it is destroyed; keep it, or use a task_group")]]
auto spawn(F&& f) {
    using function = std::decay_t<F>;
    using result = std::decay_t<fits::result_of<function&>>;
    constexpr bool is_callable = fits::can_be_called_later<F>;
    constexpr bool can_be_kept = fits::can_be_kept<F>;
    constexpr bool can_be_returned = fits::can_be_returned<result>;
    handle<result> made;
    if constexpr (!is_callable) {
        static_assert(is_callable, "teff: the function given to spawn() must be callable without arguments, as in "
                                   "spawn([=] { return work(n); }), or, for dataflow, spawn(f, teff::in(a), ...)");
    } else if constexpr (!can_be_kept) {
        static_assert(can_be_kept, "teff: the function given to spawn() cannot be copied; pass std::move(f), or "
                                   "std::ref(f) to call it in place");
    } else if constexpr (!can_be_returned) {
        static_assert(can_be_returned, "teff: the function given to spawn() returns a type that cannot be moved into "
                                       "its handle; let it return a std::unique_ptr");
    } else {
        made.made_ = std::make_unique<forking::spawned<forking::value_of<function>>>();
        forking::hand_over_or_call(*made.made_, std::forward<F>(f));
    }
    return made;
}

}  // namespace teff
