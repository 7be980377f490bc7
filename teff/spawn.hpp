// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One task with a result: spawn() hands a function over and returns a handle, by which its result is fetched later.
//
//   teff::handle<long> left = teff::spawn([] { return count(0, 1000); });
//   const long right = count(1000, 2000);
//   return left.get() + right;
//
// Like a group's run(), spawn() may call the function itself, before it returns; see task_group.hpp for what follows
// from that. fork_join() costs less, and a task_group less per task.
#pragma once

#include <teff/frontends/fork_join/child.hpp>
#include <teff/frontends/fork_join/execute.hpp>
#include <teff/frontends/fork_join/group_state.hpp>
#include <teff/frontends/fork_join/group_task.hpp>

#include <concepts>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace teff {

namespace forking {

// A group of one, and its result.
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
        // It was dropped.
        if (!result_)
            throw_stopped();
        return std::move(*result_);
    }

private:
    std::optional<T> result_;
    group_state state_;
};

}  // namespace forking

// T: the result's type, by value; void. May be moved to other threads; used by one at a time. Its end waits for the
// function, whose result or error is lost then.
template <class T>
class handle {
    using stored = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

public:
    // Of no function.
    handle() noexcept = default;

    // Whether there is a function whose result get() has not fetched.
    bool valid() const noexcept { return made_ != nullptr; }
    // Whether get() would return at once. To ask again and again is to block: see task_group.hpp. Of a valid one.
    bool is_ready() const noexcept { return made_->state().is_over(); }
    // Returns when the function has ended; the calling thread runs other work meanwhile. Of a valid one.
    void wait() const noexcept { made_->state().wait(); }
    // The same, and returns what it returned or throws what it threw, or stopped if it was dropped because the call of
    // execute() around it was asked to stop; then the handle is valid no more. What the function has added to ordered
    // reducers is there after this, or after the handle's end.
    T get() {
        const std::unique_ptr<forking::spawned<stored>> last = std::move(made_);
        if constexpr (std::is_void_v<T>)
            last->take_result();
        else
            return last->take_result();
    }

private:
    template <forking::taskable F>
    friend auto spawn(F&& f);

    std::unique_ptr<forking::spawned<stored>> made_;
};

// Calls a copy of `f`, or what it was moved to, once, at once or later, on this thread or another one. Any thread.
// Throws what copying or moving `f` throws, std::bad_alloc, stack_exhausted or stopped; then it is not called.
template <forking::taskable F>
auto spawn(F&& f) {
    using function = std::decay_t<F>;
    using result = std::decay_t<std::invoke_result_t<function&>>;
    handle<result> made;
    made.made_ = std::make_unique<forking::spawned<forking::value_of<function>>>();
    forking::hand_over_or_call(*made.made_, std::forward<F>(f));
    return made;
}

}  // namespace teff
