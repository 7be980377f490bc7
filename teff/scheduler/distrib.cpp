// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scheduler Distrib of Qthreads (Evans and others, ROSS 2017, section 3.3): one queue per worker. As in Nemesis,
// all members push new tasks to the queues in turn; a worker takes the newest task of its own queue, and one that runs
// dry takes the oldest of another's, one task at a time.
//
//   member 0   push 1, 3, 5 -> head -> o o o <- tail   its member takes from the tail, thieves from the head
//   member 1   push 2, 4    -> head ->       <- tail   empty: looks at the others, then STEAL_RATIO times at itself
//                                                      before it looks at the others again
//
// Differs from the paper: the paper's queue is lock-free; ours has a lock, which thieves only try to take
// (locked_deque.hpp gives the reasons). The paper leaves open at which end the owner works.
//
// In the paper, a member without work searches for COND_BACKOFF cycles and then sleeps on a condition variable;
// sleepers are counted, and an enqueue wakes one. Idle members of every team here do the same (team.hpp,
// idle_tracker.hpp), with a futex as the condition variable. Only the time is taken from COND_BACKOFF
// (team_options.cpp). A worker leaves the team before it sleeps, so it then searches other teams for work, for
// another spin_us.
//
// The team does not starve: any worker can take any queued task. A single old task may wait for a long time, behind
// newer ones, while no member steals.
#include <teff/queue/locked_deque.hpp>
#include <teff/scheduler/make_task_scheduler.hpp>
#include <teff/scheduler/task_scheduler.hpp>

namespace teff {

class distrib_scheduler final : public task_scheduler {
public:
    // Throws std::bad_alloc.
    distrib_scheduler(const scheduler_settings& settings, idle_tracker& idle, std::size_t payload_size,
                      std::size_t payload_alignment);

private:
    struct alignas(false_sharing_range) place {
        locked_deque<task_header*> queue;
        // only the member uses these
        alignas(false_sharing_range) member_registry::round_robin turns;
        unsigned next_victim = 0;
        unsigned looks = 0;  // into its own queue since it has run dry
    };

    bool join_slot(unsigned slot, unsigned worker) noexcept override;
    void leave_slot(unsigned) noexcept override {}
    bool has_room(unsigned) noexcept override { return true; }
    unsigned push_to_queue(unsigned slot, task_header& made) noexcept override;
    task_header* pop(unsigned slot) noexcept override;
    task_header* steal_from_others(unsigned slot) noexcept override;
    bool has_free_tasks() const noexcept override;
    bool has_bound_tasks(unsigned) const noexcept override { return false; }

    slots<place> places_;
};

distrib_scheduler::distrib_scheduler(const scheduler_settings& settings, idle_tracker& idle, std::size_t payload_size,
                                     std::size_t payload_alignment)
    : task_scheduler(settings, idle, payload_size, payload_alignment), places_(settings.slots) {
    prepare_for_idle_workers();
}

bool distrib_scheduler::join_slot(unsigned slot, unsigned) noexcept {
    place& mine = places_[slot];
    mine.next_victim = slot;
    mine.looks = 0;
    return mine.turns.try_make_room(registry_);
}

unsigned distrib_scheduler::push_to_queue(unsigned slot, task_header& made) noexcept {
    const unsigned to = next_in_turn(slot, places_[slot].turns);
    return places_[to].queue.push(&made) ? nobody : no_memory;
}

task_header* distrib_scheduler::pop(unsigned slot) noexcept {
    place& mine = places_[slot];
    task_header* const newest = mine.queue.pop();
    if (newest != nullptr)
        mine.looks = 0;
    return newest;
}

// Called each time the member has found its own queue empty.
task_header* distrib_scheduler::steal_from_others(unsigned slot) noexcept {
    place& mine = places_[slot];
    if (mine.looks++ % settings_.distrib_steal_ratio != 0)
        return nullptr;
    const unsigned used = registry_.used();
    for (unsigned step = 0; step < used; ++step) {
        unsigned& victim = mine.next_victim;
        victim = victim + 1 < used ? victim + 1 : 0;
        if (victim == slot)
            continue;
        if (task_header* const oldest = places_[victim].queue.try_take_oldest().item) {
            mine.looks = 0;
            return oldest;
        }
    }
    return nullptr;
}

bool distrib_scheduler::has_free_tasks() const noexcept {
    for (unsigned i = 0; i < registry_.used(); ++i) {
        if (places_[i].queue.may_have_items())
            return true;
    }
    return false;
}

template struct on_descriptors<distrib_scheduler>;

}  // namespace teff
