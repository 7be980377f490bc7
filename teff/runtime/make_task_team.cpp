// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles the task team for each scheduler, and chooses one by name.
#include <teff/base/allocation.hpp>
#include <teff/runtime/task_team_of.hpp>
#include <teff/scheduler/choice.hpp>

#include <new>

namespace teff {

task_team* make_task_team(const team_options& how, const std::stop_token& stop, admission admits) {
    team_options chosen = how;
    chosen.settings.members_wait = true;
    task_team* made = nullptr;
    with_scheduler<task_header*>(all_schedulers{}, how.scheduler, chosen.settings,
                          [&]<class Scheduler>() { made = create<task_team_of<Scheduler>>(chosen, stop, admits); });
    if (made == nullptr)
        throw std::bad_alloc();
    return made;
}

void task_team::count_injected() noexcept { add_counters(this_thread().worker, {.pushed = 1}); }

bool is_left_to_child(const wait_condition& awaited, const task_header* until) noexcept {
    if (awaited.is_met())
        return false;
    // relaxed: the child has one thread.
    if (until == nullptr || (until->state.load(std::memory_order_relaxed) & task_header::begun) != 0)
        stop_state::end_orphan();
    return true;
}

}  // namespace teff
