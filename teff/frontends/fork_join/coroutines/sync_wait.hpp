// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a task from code outside any coroutine, and waits for its result.
#pragma once

#include <teff/base/fits.hpp>
#include <teff/frontends/fork_join/coroutines/run_loop.hpp>
#include <teff/frontends/fork_join/coroutines/task.hpp>
#include <teff/frontends/fork_join/group_state.hpp>
#include <teff/team/count_latch.hpp>

#include <type_traits>
#include <utility>

namespace teff {

namespace coroutines {

struct sync_hook : end_hook {
    sync_hook() noexcept
        // The last use: the waiting thread may return.
        : end_hook{[](end_hook& self, promise_base&) noexcept { static_cast<sync_hook&>(self).over.count_down(); }} {}

    count_latch over{1};
};

template <class T>
T run_to_end(task<T> awaited) {
    awaited.require_valid();
    sync_hook end;
    awaited.promise().set_hook(end);
    promise_base::start(nullptr, awaited.promise());
    forking::wait_for_end(end.over);
    return awaited.promise().take();
}

}  // namespace coroutines

// Begins the task on the calling thread, and returns its result or throws its exception when it has ended. While the
// task is suspended, the thread runs other tasks of its team, as in a wait for a group (task_group.hpp); a fiber is
// suspended. Any thread. Throws std::logic_error if the task has no coroutine.
template <class Given>
decltype(auto) sync_wait(Given&& awaited) {
    // An argument of type `unknown` comes from an earlier mistake, which has its own message.
    constexpr bool is_task = coroutines::is_task<Given> || std::is_base_of_v<fits::unknown, Given>;
    if constexpr (coroutines::is_task<Given>) {
        return coroutines::run_to_end(std::move(awaited));
    } else {
        static_assert(is_task, "teff: sync_wait() takes one teff::task and owns it: pass a call, as in "
                               "sync_wait(f(1)), or std::move(task)");
        return fits::unknown();
    }
}

}  // namespace teff
