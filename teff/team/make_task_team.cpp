// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles the task team for each scheduler, and chooses one by name.
#include <teff/base/allocation.hpp>
#include <teff/scheduler/choice.hpp>
#include <teff/scheduler/schedulers.hpp>
#include <teff/team/task_team_of.hpp>

#include <new>

namespace teff {

task_team* make_task_team(const team_options& options, const std::stop_token& stop, admission admits) {
    team_options chosen = options;
    chosen.settings.members_wait = true;
    task_team* made = nullptr;
    with_scheduler<task_header*>(every_scheduler{}, options.scheduler, chosen.settings,
                          [&]<class Scheduler>() { made = create<task_team_of<Scheduler>>(chosen, stop, admits); });
    if (made == nullptr)
        throw std::bad_alloc();
    return made;
}

constinit task_header task_member::away_mark_;

shepherd_rule task_team::shepherds() const noexcept {
    // Faster than looking the scheduler up.
    if (const bound_tasks* const made = bound())
        return made->rule();
    const auto scheduler = find_scheduler(how_.scheduler);
    return {how_.settings, scheduler ? scheduler->shepherds : 1};
}

void task_team::prepare_bound_tasks() {
    if (bound() != nullptr)
        return;
    // acquire: as on failure of the exchange.
    if (bound_.made.load(std::memory_order_acquire) == nullptr) {
        bound_tasks* const made = create<bound_tasks>(shepherds(), how_.settings.slots);
        if (made == nullptr)
            throw std::bad_alloc();
        bound_tasks* seen = nullptr;
        // release: publishes the inboxes; partners: the acquires here. (For bound(), add_others() below publishes
        // them.) acquire on failure: sees the inboxes that another thread has made.
        if (!bound_.made.compare_exchange_strong(seen, made, std::memory_order_release, std::memory_order_acquire))
            destroy(made);
    }
    // Done before the first bound task is put; also by a thread that came second, since the first one may not have done
    // it yet.
    lanes_.add_others();
}

void task_team::put_into_lanes(task_header& ready) noexcept {
    if (ready.is_bound()) {
        // relaxed: the bound task is known to this thread, hence the inboxes are.
        bound_.made.load(std::memory_order_relaxed)->put(ready);
        wake_for_bound();
        return;
    }
    lanes_.put(ready);
    wake_for_lanes();
}

void task_team::wake_for_lanes() noexcept {
    // This begins with a fence, which also orders the look in notify_blocked(); partner: the fence in
    // event_count::prepare_sleep().
    idle().work_visible_to_some();
    notify_blocked();
}

void task_team::wake_for_bound() noexcept {
    // Both begin with a fence, which also orders the look in notify_blocked(): F1 of the argument in bound_tasks.hpp.
    // The worker of the right NUMA domain cannot be chosen, so all of them are woken.
    if (bound()->rule().are_per_numa())
        idle().work_visible_to_each();
    else
        idle().work_visible_to_some();
    notify_blocked();
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
