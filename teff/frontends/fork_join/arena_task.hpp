// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks that are enqueued in an arena. A function lies in memory of its own: the thread that enqueues it may be in no
// team, and then has no pool of descriptors. A coroutine that continues in the arena needs no memory beside its frame.
#pragma once

#include <teff/base/assert.hpp>
#include <teff/base/fits.hpp>
#include <teff/frontends/fork_join/arena_state.hpp>
#include <teff/frontends/fork_join/group_task.hpp>
#include <teff/frontends/fork_join/task_marks.hpp>
#include <teff/frontends/fork_join/views.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/task/task_header.hpp>

#include <coroutine>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

namespace teff::forking {

// Ends the program with a message about the exception that is being handled: it has left a function that nothing waits
// for.
[[noreturn]] void end_by_exception() noexcept;

// Whether arena::enqueue() and arena::spawn() can take F; if not, says why.
template <class F>
consteval bool can_be_enqueued() {
    constexpr bool is_callable = fits::can_be_called_later<F>;
    static_assert(is_callable, "teff: the function given to arena::enqueue() or arena::spawn() must be callable "
                               "without arguments, as in arena.enqueue([=] { work(n); })");
    constexpr bool can_be_kept = !is_callable || fits::can_be_kept<F>;
    static_assert(can_be_kept, "teff: the function given to arena::enqueue() or arena::spawn() cannot be copied; "
                               "pass std::move(f), or std::ref(f) to call it in place");
    return is_callable && can_be_kept;
}

// In place of a group, for a task that is in none.
struct no_group {};

template <class Group, class F>
class arena_task final : public task_header {
public:
    template <class Given>
    arena_task(arena_life& home, Group* group, Given&& f)
        : task_header(&run_and_end), home_(home), group_(group), function_(std::forward<Given>(f)) {}

private:
    static void run_and_end(task_header& self) noexcept {
        std::unique_ptr<arena_task> mine(static_cast<arena_task*>(&self));
        arena_life& home = mine->home_;
        Group* const group = mine->group_;
        {
            const counted_task counted(home, *mine->around_);
            own_views own(counted.around());
            mine->call();
            // Before the end of the task: the function's captures may refer to objects of a thread that waits.
            mine.reset();
            if constexpr (has_group)
                group->state().keep(own.take());
            else
                drop_views(own.take());
        }
        // As soon as both have ended, the group and the arena may be gone.
        if constexpr (has_group)
            group->state().end_one();
        home.end_one();
    }
    void call() noexcept {
        const bool is_stopping = is_team_stopping();
        if constexpr (has_group) {
            const called_task in_group(group_->state(), true);
            if (is_stopping)
                group_->state().stop();
            else
                group_->run_here(function_);
        } else if (!is_stopping) {
            try {
                std::invoke(function_);
            } catch (...) {
                end_by_exception();
            }
        }
    }

    static constexpr bool has_group = !std::is_same_v<Group, no_group>;

    arena_life& home_;
    Group* const group_;
    const inherited_enclosing around_;
    F function_;
};

template <class Group, taskable F>
void enqueue(arena_life& home, Group* group, F&& f) {
    auto made = std::make_unique<arena_task<Group, std::decay_t<F>>>(home, group, std::forward<F>(f));
    if constexpr (!std::is_same_v<Group, no_group>)
        group->state().begin_one();
    // From here on another thread may have run and destroyed it.
    home.enqueue(*made.release());
}

// The result of arena::schedule(). It lives in the coroutine's frame while the coroutine is suspended.
class arena_awaitable : task_header {
public:
    explicit arena_awaitable(arena_life& home) noexcept : task_header(&resume), home_(home) {}

    static constexpr bool await_ready() noexcept { return false; }
    // Another thread may resume the coroutine, and destroy it, before this returns.
    void await_suspend(std::coroutine_handle<> suspended) noexcept {
        suspended_ = suspended;
        home_.enqueue(*this);
    }
    // Throws stopped if the arena was asked to stop.
    void await_resume() const {
        if (is_cancelled_)
            throw_stopped();
    }

private:
    static void resume(task_header& self) noexcept {
        auto& mine = static_cast<arena_awaitable&>(self);
        arena_life& home = mine.home_;
        mine.is_cancelled_ = is_team_stopping();
        {
            const counted_task counted(home, {});
            own_views own(counted.around());
            mine.suspended_.resume();
            drop_views(own.take());
        }
        home.end_one();
    }

    arena_life& home_;
    std::coroutine_handle<> suspended_;
    bool is_cancelled_ = false;
};

}  // namespace teff::forking
