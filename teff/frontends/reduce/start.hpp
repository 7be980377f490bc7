// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The choice by name, made once per call: from the rows of the name tables to a concrete scheduler type.
//
// A list that a user narrowed may lack the scheduler that is asked for by name; that is std::invalid_argument, too.
#pragma once

#include <teff/frontends/reduce/reduction_team.hpp>
#include <teff/runtime/launch.hpp>
#include <teff/scheduler/schedulers.hpp>

#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

namespace teff::reduction {

template <class Task>
using default_pool = task_pool<demand_scheduler<Task>, Task>;

template <class Fun, class Task>
using result_of = body_result<Fun, default_pool<Task>, Task>;

// One reduction on one scheduler.
template <class Scheduler, class Task, class R, class Fun, class AddFirst>
R run_on(const launch& how, const std::stop_token& stop, Fun& fun, AddFirst& add_first) {
    reduction_team<Scheduler, Fun, Task, R> team(how.settings, how.spin_us, fun);
    const std::stop_callback stopper(stop, [&team] { team.cancel(); });
    return team.run(add_first);
}

// Compares with a copy: a use of the static member itself would put it, as a variable that the loader makes unique in
// the process, into a shared object with the call, which could then never be unloaded.
template <class Named>
bool is_named(std::string_view name) noexcept {
    constexpr std::string_view own = Named::name;
    return own == name;
}

// Calls choose.operator()<Reclaimer>() for the reclaimer of that name; false if the list lacks it.
template <class... Reclaimers, class Choose>
bool with_reclaimer(reclaimer_list<Reclaimers...>, std::string_view name, Choose&& choose) {
    return ((is_named<Reclaimers>(name) && (choose.template operator()<Reclaimers>(), true)) || ...);
}

// The same for schedulers, with the class made of entry, task and reclaimer, and the settings changed for the entry.
template <class Task, class Reclaimers, class... Entries, class Choose>
bool with_scheduler(scheduler_list<Entries...>, std::string_view name, std::string_view reclaimer,
                    scheduler_settings& settings, Choose&& choose) {
    const auto try_entry = [&]<class Entry>() {
        if (!is_named<Entry>(name))
            return false;
        Entry::select(settings);
        if constexpr (!Entry::reclaims) {
            choose.template operator()<typename Entry::template type<Task, void>>();
            return true;
        } else {
            return with_reclaimer(Reclaimers{}, reclaimer, [&]<class Reclaimer>() {
                choose.template operator()<typename Entry::template type<Task, Reclaimer>>();
            });
        }
    };
    return (try_entry.template operator()<Entries>() || ...);
}

[[noreturn]] inline void throw_not_compiled(std::string_view scheduler, std::string_view reclaimer) {
    throw std::invalid_argument("scheduler '" + std::string(scheduler) + "' with reclaimer '" + std::string(reclaimer) +
                                "' is not in the list that this call was compiled with; name one that is, or widen "
                                "the list");
}

template <class Schedulers, class Reclaimers, class Task, class Fun, class AddFirst>
result_of<Fun, Task> start(const options& call, Fun& fun, AddFirst&& add_first) {
    using result = result_of<Fun, Task>;
    using stored = stored_result<result>;
    launch how = resolve(call);
    prepare_workers(how.settings.slots);
    std::optional<stored> total;
    const auto run = [&]<class Scheduler>() {
        total.emplace(run_on<Scheduler, Task, stored>(how, call.stop, fun, add_first));
    };
    if (!with_scheduler<Task, Reclaimers>(Schedulers{}, how.scheduler, how.reclaimer, how.settings, run))
        throw_not_compiled(how.scheduler, how.reclaimer);
    if constexpr (!std::is_void_v<result>)
        return std::move(*total);
}

}  // namespace teff::reduction
