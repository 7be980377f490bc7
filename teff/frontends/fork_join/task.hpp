// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task of a group: a function in memory of its own, since whoever hands it over does not wait there.
#pragma once

#include <teff/frontends/fork_join/group_state.hpp>
#include <teff/frontends/fork_join/job.hpp>
#include <teff/frontends/fork_join/views.hpp>

#include <concepts>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace teff::forking {

template <class Group, class F>
class task final : public job {
public:
    template <class Given>
    task(Group& group, Given&& f) : group_(group), function_(std::forward<Given>(f)) {
        run = &run_and_end;
        ::new (static_cast<void*>(&state)) atomic<unsigned>(0);
    }

    F& function() noexcept { return function_; }

private:
    static void run_and_end(job& self) noexcept {
        std::unique_ptr<task> mine(static_cast<task*>(&self));
        Group& group = mine->group_;
        {
            strand here;
            // relaxed: the thread's own.
            if ((mine->state.load(std::memory_order_relaxed) & cancelled) == 0)
                group.run_here(mine->function_);
            else
                group.state().stop();
            // Before the end: what the function holds may belong to the waiter.
            mine.reset();
            group.state().keep(here.take());
        }
        group.state().end_one();
    }

    Group& group_;
    F function_;
};

// A function that can be kept and then called.
template <class F>
concept taskable = std::constructible_from<std::decay_t<F>, F> && std::invocable<std::decay_t<F>&>;

// Makes a copy of `f`, or moves it into, a task, unless that would be called at once; then false, with `f` untouched.
template <class Group, taskable F>
[[gnu::noinline]] bool hand_over(Group& group, F&& f) {
    if (!group.state().wants_task())
        return false;
    using made_of = task<Group, std::decay_t<F>>;
    auto made = std::make_unique<made_of>(group, std::forward<F>(f));
    if (group.state().submit(*made))
        // Its run() ends its life, and may have.
        [[maybe_unused]] const auto* given = made.release();
    else
        group.run_here(made->function());
    return true;
}

// Makes `f` a task, or calls it: in both cases a copy, or what was moved.
template <class Group, taskable F>
[[gnu::always_inline]] inline void hand_over_or_call(Group& group, F&& f) {
    if (!is_plain() && hand_over(group, std::forward<F>(f))) [[unlikely]]
        return;
    std::decay_t<F> own(std::forward<F>(f));
    group.run_here(own);
}

}  // namespace teff::forking
