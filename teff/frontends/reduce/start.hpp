// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The start of a reduction: chooses the scheduler by name, once; all further code is compiled for that scheduler.
//
// A user may narrow the list of schedulers. If the list lacks the scheduler with the given name, start() throws
// std::invalid_argument.
#pragma once

#include <teff/frontends/reduce/reduction_team.hpp>
#include <teff/runtime/stack.hpp>
#include <teff/runtime/team_options.hpp>
#include <teff/scheduler/choice.hpp>

#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

namespace teff::reducing {

template <class Task>
using default_pool = task_pool<demand_scheduler<Task>, Task>;

template <class Fun, class Task>
using result_of = body_result<Fun, default_pool<Task>, Task>;

// One reduction on one scheduler. Out of line: otherwise the frame of start() would hold the teams of all schedulers,
// and would be entered before the stack is looked at.
template <class Scheduler, class Task, class R, class Fun, class AddFirst>
[[gnu::noinline]] R run_on(const team_options& how, const std::stop_token& stop, Fun& fun, AddFirst& add_first) {
    reduction_team<Scheduler, Fun, Task, R> team(how.settings, how.spin_us, fun);
    const std::stop_callback stopper(stop, [&team] { team.cancel(); });
    return team.run(add_first);
}

[[noreturn]] inline void throw_not_compiled(std::string_view scheduler) {
    throw std::invalid_argument("scheduler '" + std::string(scheduler) +
                                "' is not in the list that this call was compiled with; name one that is, or widen "
                                "the list");
}

template <class Schedulers, class Task, class Fun, class AddFirst>
result_of<Fun, Task> start(const options& call, Fun& fun, AddFirst&& add_first) {
    using result = result_of<Fun, Task>;
    using stored = stored_result<result>;
    expect_stack();
    team_options how = resolve(call);
    prepare_workers(how.settings.slots);
    std::optional<stored> total;
    const auto run = [&]<class Scheduler>() {
        total.emplace(run_on<Scheduler, Task, stored>(how, call.stop, fun, add_first));
    };
    if (!with_scheduler<Task>(Schedulers{}, how.scheduler, how.settings, run))
        throw_not_compiled(how.scheduler);
    if constexpr (!std::is_void_v<result>)
        return std::move(*total);
}

}  // namespace teff::reducing
