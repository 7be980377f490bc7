// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The choice by name: from the name of a scheduler to a concrete type.
#pragma once

#include <teff/scheduler/schedulers.hpp>
#include <teff/scheduler/settings.hpp>

#include <string_view>

namespace teff {

// Compares with a copy: a use of the static member itself would put it, as a variable that the loader makes unique in
// the process, into a shared object with the call, which could then never be unloaded.
template <class Named>
bool is_named(std::string_view name) noexcept {
    constexpr std::string_view own = Named::name;
    return own == name;
}

// Calls choose.operator()<Scheduler>() with the class of the entry of that name for these tasks, after it has changed
// the settings for the entry; false if the list lacks it.
template <class Task, class... Entries, class Choose>
bool with_scheduler(scheduler_list<Entries...>, std::string_view name, scheduler_settings& settings, Choose&& choose) {
    const auto try_entry = [&]<class Entry>() {
        if (!is_named<Entry>(name))
            return false;
        Entry::select(settings);
        choose.template operator()<typename Entry::template type<Task>>();
        return true;
    };
    return (try_entry.template operator()<Entries>() || ...);
}

}  // namespace teff
