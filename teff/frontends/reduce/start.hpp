// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The start of a reduction: chooses the scheduler by name, once. All further code is compiled for that scheduler, or it
// is the common form (common_form.hpp).
//
// A user may name a list of schedulers. If the list lacks the scheduler with the given name, start() throws
// std::invalid_argument.
#pragma once

#include <teff/base/light_standard.hpp>
#include <teff/frontends/reduce/common_form.hpp>
#include <teff/frontends/reduce/reduction_team.hpp>
#include <teff/options.hpp>
#include <teff/scheduler/choice.hpp>
#include <teff/team/cancel_on_stop.hpp>
#include <teff/team/team_options.hpp>

#include <stop_token>
#include <string_view>
#include <type_traits>
#include <utility>

namespace teff::reducing {

template <class Task>
using default_pool = task_pool<demand_scheduler<Task>, Task>;

// The first step of every call: checks the stack, reads the options, and starts workers.
team_options prepare(const options& call);
// Throws std::invalid_argument: the call is not compiled for this scheduler.
[[noreturn]] void throw_not_compiled(std::string_view scheduler);

template <class Fun, class Task>
using result_of = body_result<Fun, default_pool<Task>, Task>;

// One reduction on one scheduler. Out of line: otherwise the frame of start() would hold the teams of all schedulers,
// and would be entered before the stack is looked at.
template <class Scheduler, class Task, class R, class Fun, class AddFirst>
[[gnu::noinline]] void run_on(const team_options& options, const std::stop_token& stop, R& total, Fun& fun,
                              AddFirst& add_first) {
    reduction_team<Scheduler, Fun, Task, R> team(options.settings, options.spin_us, fun);
    const cancel_on_stop stopper(stop, team);
    team.run(total, add_first);
}

// How a call with this choice runs.
template <class Choice>
struct start_on;

template <class... Rows>
struct start_on<scheduler_list<Rows...>> {
    template <class Task, class R, class Fun, class AddFirst>
    static void run(team_options& chosen_options, const options& call, R& total, Fun& fun, AddFirst& add_first) {
        const auto run_it = [&]<class Scheduler>() {
            run_on<Scheduler, Task>(chosen_options, call.stop, total, fun, add_first);
        };
        if (!with_scheduler<Task>(scheduler_list<Rows...>{}, chosen_options.scheduler, chosen_options.settings, run_it))
            throw_not_compiled(chosen_options.scheduler);
    }
};

template <>
struct start_on<any_scheduler> {
    template <class Task, class R, class Fun, class AddFirst>
    static void run(team_options& chosen_options, const options& call, R& total, Fun& fun, AddFirst& add_first) {
        if (chosen_options.scheduler == demand::traits().name) {
            run_on<demand_scheduler<Task>, Task>(chosen_options, call.stop, total, fun, add_first);
        } else {
            common_call_of<R, Fun, Task, AddFirst> what(fun, add_first);
            run_common(what, chosen_options, call, address_of(total));
        }
    }
};

template <class Schedulers, class Task, class Fun, class AddFirst>
result_of<Fun, Task> start(const options& call, Fun& fun, AddFirst&& add_first) {
    using result = result_of<Fun, Task>;
    using stored = stored_result<result>;
    team_options options = prepare(call);
    stored total{};
    start_on<Schedulers>::template run<Task>(options, call, total, fun, add_first);
    if constexpr (!std::is_void_v<result>)
        return total;
}

}  // namespace teff::reducing
