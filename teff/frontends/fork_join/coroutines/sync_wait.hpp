// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a task from code that is no coroutine.
#pragma once

#include <teff/frontends/fork_join/coroutines/run_loop.hpp>
#include <teff/frontends/fork_join/coroutines/task.hpp>
#include <teff/frontends/fork_join/group_state.hpp>
#include <teff/runtime/count_latch.hpp>

#include <utility>

namespace teff {

namespace coroutines {

struct sync_hook : end_hook {
    sync_hook() noexcept
        // The last use: the waiting thread may return.
        : end_hook{[](end_hook& self, promise_base&) noexcept { static_cast<sync_hook&>(self).over.count_down(); }} {}

    count_latch over{1};
};

}  // namespace coroutines

// Begins the task on the calling thread, and returns its result or throws its exception when it has ended. While the
// task is suspended, the thread runs other tasks of its team, as in a wait for a group (task_group.hpp); a fiber is
// left. Any thread. Throws std::logic_error if the task has no coroutine.
template <class T>
T sync_wait(task<T> awaited) {
    awaited.expect_valid();
    coroutines::sync_hook end;
    awaited.promise().set_hook(end);
    coroutines::promise_base::start(nullptr, awaited.promise());
    forking::wait_for_end(end.over);
    return awaited.promise().take();
}

}  // namespace teff
