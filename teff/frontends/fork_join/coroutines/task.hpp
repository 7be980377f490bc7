// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// task<T>: a coroutine that begins when it is awaited, and passes its result to the awaiting coroutine.
#pragma once

#include <teff/frontends/fork_join/coroutines/run_loop.hpp>

#include <concepts>
#include <coroutine>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace teff {

template <class T>
class task;

namespace coroutines {

// The result: a value, an address, or nothing.
template <class T>
class promise_of : public promise_base {
public:
    promise_of() noexcept : promise_base(std::coroutine_handle<promise_of>::from_promise(*this)) {}
    task<T> get_return_object() noexcept;

    template <class From = T>
        requires std::constructible_from<T, From>
    void return_value(From&& from) {
        value_.emplace(std::forward<From>(from));
    }
    T take() {
        rethrow_error();
        return std::move(*value_);
    }
    template <class Awaited>
    static decltype(auto) await_transform(Awaited&& awaited);

private:
    std::optional<T> value_;
};

template <class T>
class promise_of<T&> : public promise_base {
public:
    promise_of() noexcept : promise_base(std::coroutine_handle<promise_of>::from_promise(*this)) {}
    task<T&> get_return_object() noexcept;

    void return_value(T& there) noexcept { value_ = std::addressof(there); }
    T& take() {
        rethrow_error();
        return *value_;
    }
    template <class Awaited>
    static decltype(auto) await_transform(Awaited&& awaited);

private:
    T* value_ = nullptr;
};

template <>
class promise_of<void> : public promise_base {
public:
    promise_of() noexcept : promise_base(std::coroutine_handle<promise_of>::from_promise(*this)) {}
    task<void> get_return_object() noexcept;

    void return_void() const noexcept {}
    void take() { rethrow_error(); }
    template <class Awaited>
    static decltype(auto) await_transform(Awaited&& awaited);
};

// The awaiter of a task, for tasks and all other coroutines. It owns the task, so the task is destroyed at the end of
// the expression that awaits it.
template <class T>
class task_wait : end_hook {
public:
    explicit task_wait(task<T>&& awaited) noexcept : end_hook{&go_on}, awaited_(std::move(awaited)) {}

    static constexpr bool await_ready() noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> waiting) noexcept {
        run_loop* loop = nullptr;
        waiting_ = waiting;
        if constexpr (std::derived_from<Promise, promise_base>) {
            waiting_task_ = &waiting.promise();
            loop = waiting_task_->leave_loop();
        }
        promise_base& next = awaited_.promise();
        next.set_hook(*this);
        promise_base::start(loop, next);
    }
    T await_resume() { return awaited_.promise().take(); }

private:
    static void go_on(end_hook& self, promise_base& ended) noexcept {
        auto& mine = static_cast<task_wait&>(self);
        if (mine.waiting_task_ != nullptr)
            promise_base::transfer(ended, *mine.waiting_task_);
        else
            promise_base::transfer(ended, mine.waiting_);
    }

    task<T> awaited_;
    std::coroutine_handle<> waiting_;
    promise_base* waiting_task_ = nullptr;  // nullptr: the waiting coroutine is of another type
};

// For awaitables that pass the loop on themselves.
struct knows_loops {};

template <class Awaited>
concept has_member_await = requires(Awaited&& awaited) { std::forward<Awaited>(awaited).operator co_await(); };
template <class Awaited>
concept has_free_await = requires(Awaited&& awaited) { operator co_await(std::forward<Awaited>(awaited)); };

template <class T>
inline constexpr bool is_task = false;
template <class T>
inline constexpr bool is_task<task<T>> = true;

// Wraps an awaitable for a task that awaits it, so that the task leaves its loop if the awaitable does not use loops.
template <class Awaited>
decltype(auto) transform(Awaited&& awaited) {
    if constexpr (is_task<std::remove_cvref_t<Awaited>> || std::derived_from<std::remove_cvref_t<Awaited>, knows_loops>)
        return std::forward<Awaited>(awaited);
    else if constexpr (has_member_await<Awaited>)
        return foreign_wait<decltype(std::forward<Awaited>(awaited).operator co_await())>(
            std::forward<Awaited>(awaited).operator co_await());
    else if constexpr (has_free_await<Awaited>)
        return foreign_wait<decltype(operator co_await(std::forward<Awaited>(awaited)))>(
            operator co_await(std::forward<Awaited>(awaited)));
    else
        return foreign_wait<Awaited&&>(std::forward<Awaited>(awaited));
}

}  // namespace coroutines

// A coroutine with a result of type T: a value, which need only be movable, a reference, or void. It begins when it is
// awaited, once, by `co_await std::move(it)` or as a temporary, by when_all(), or by sync_wait(). One thread at a time
// may use the object. It must not be destroyed between its begin and its end.
template <class T = void>
class [[nodiscard("a task does nothing until it is awaited, as by co_await, sync_wait() or when_all()")]] task {
public:
    // The promise of the coroutine.
    using promise_type = coroutines::promise_of<T>;

    // Takes the coroutine of `other`, which then has none.
    task(task&& other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
    // Takes the coroutine of `other`. Destroys its own coroutine, which must not be between its begin and its end.
    task& operator=(task&& other) noexcept {
        task taken(std::move(other));
        std::swap(coroutine_, taken.coroutine_);
        return *this;
    }
    // A task that was never awaited is destroyed without having begun.
    ~task() {
        if (coroutine_ != nullptr)
            coroutine_.destroy();
    }

    // Whether it has a coroutine.
    bool valid() const noexcept { return coroutine_ != nullptr; }
    // Begins the task. When the task has ended, the awaiting coroutine continues on the thread where it ended, and gets
    // the result or the exception. Throws std::logic_error if there is no coroutine.
    auto operator co_await() && {
        require_valid();
        return coroutines::task_wait<T>(std::move(*this));
    }

    // For when_all() and the like.
    promise_type& promise() const noexcept { return coroutine_.promise(); }
    // Throws std::logic_error if there is no coroutine.
    void require_valid() const {
        if (!valid())
            throw std::logic_error("teff: this task has no coroutine: it was awaited before, or moved from");
    }

private:
    friend promise_type;
    explicit task(std::coroutine_handle<promise_type> coroutine) noexcept : coroutine_(coroutine) {}

    std::coroutine_handle<promise_type> coroutine_;
};

namespace coroutines {

template <class T>
task<T> promise_of<T>::get_return_object() noexcept {
    return task<T>(std::coroutine_handle<promise_of>::from_promise(*this));
}
template <class T>
task<T&> promise_of<T&>::get_return_object() noexcept {
    return task<T&>(std::coroutine_handle<promise_of>::from_promise(*this));
}
inline task<void> promise_of<void>::get_return_object() noexcept {
    return task<void>(std::coroutine_handle<promise_of>::from_promise(*this));
}

template <class T>
template <class Awaited>
decltype(auto) promise_of<T>::await_transform(Awaited&& awaited) {
    return transform(std::forward<Awaited>(awaited));
}
template <class T>
template <class Awaited>
decltype(auto) promise_of<T&>::await_transform(Awaited&& awaited) {
    return transform(std::forward<Awaited>(awaited));
}
template <class Awaited>
decltype(auto) promise_of<void>::await_transform(Awaited&& awaited) {
    return transform(std::forward<Awaited>(awaited));
}

}  // namespace coroutines

}  // namespace teff
