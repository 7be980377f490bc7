// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selects a scheduler by its name: from the name to a concrete type. Apart from schedulers.hpp, since whatever includes
// this compiles all schedulers of items by value.
#pragma once

// These headers define the classes that the rows of schedulers.hpp name.
#include <teff/reclaim/chosen.hpp>
#include <teff/scheduler/blaze.hpp>
#include <teff/scheduler/demand.hpp>
#include <teff/scheduler/schedulers.hpp>
#include <teff/scheduler/settings.hpp>
#include <teff/scheduler/task_scheduler_for.hpp>
#include <teff/scheduler/xqueue_scheduler.hpp>

#include <string_view>

namespace teff {

// Finds the row with that name, lets it change the settings, and calls choose.operator()<Scheduler>() with the row's
// class for items of type Task. Returns false if the list has no such row.
template <class Task, class... Rows, class Choose>
bool with_scheduler(scheduler_list<Rows...>, std::string_view name, scheduler_settings& settings, Choose&& choose) {
    const auto try_row = [&]<class Row>() {
        if (name != Row::traits().name)
            return false;
        Row::select(settings);
        choose.template operator()<typename Row::template type<Task>>();
        return true;
    };
    return (try_row.template operator()<Rows>() || ...);
}

}  // namespace teff
