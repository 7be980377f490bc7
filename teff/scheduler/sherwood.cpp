// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scheduler Sherwood of Qthreads (Evans and others, ROSS 2017, section 3.1): one LIFO per shepherd, which its
// workers share; thieves from other shepherds take several tasks at once, the oldest.
//
//   shepherd 0 (members 0, 2)   head -> o o o o <- tail   pushed and popped at the tail
//   shepherd 1 (members 1, 3)   head ->         <- tail   empty: a member that runs dry takes tasks from the head of
//                                                         the next shepherd that has some, as many as its own
//                                                         shepherd has workers (an option)
//
// The workers of a shepherd share memory and mostly a cache, so they share the newest tasks; tasks that move between
// shepherds move several at a time.
//
// Differs from the paper: waiting workers form a line, spin, and then yield, where the paper's sleep
// (locked_deque.hpp). A thief that finds the queue in use goes on to the next shepherd.
//
// The team does not starve: any worker can take any queued task. A single old task may wait for a long time, behind
// newer ones.
#include <teff/queue/locked_deque.hpp>
#include <teff/scheduler/make_task_scheduler.hpp>
#include <teff/scheduler/shepherds.hpp>
#include <teff/scheduler/task_scheduler.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace teff {

class sherwood_scheduler final : public task_scheduler {
public:
    // Throws std::bad_alloc.
    sherwood_scheduler(const scheduler_settings& settings, idle_tracker& idle, std::size_t payload_size,
                       std::size_t payload_alignment);

private:
    struct alignas(false_sharing_range) place {
        unsigned next_victim = 0;  // only the member uses it
    };

    bool join_slot(unsigned slot, unsigned worker) noexcept override;
    void leave_slot(unsigned slot) noexcept override { shepherds_.leave_slot(slot); }
    bool has_room(unsigned) noexcept override { return true; }
    unsigned push_to_queue(unsigned slot, task_header& made) noexcept override;
    task_header* pop(unsigned slot) noexcept override { return queue_of(slot).pop(); }
    task_header* steal_from_others(unsigned slot) noexcept override;
    bool has_free_tasks() const noexcept override;
    bool has_bound_tasks(unsigned) const noexcept override { return false; }

    task_header* steal_from(unsigned victim, unsigned slot) noexcept;
    unsigned loot_size(unsigned own) const noexcept;
    locked_deque<task_header*>& queue_of(unsigned slot) noexcept { return queues_[shepherds_.of(slot)]; }

    shepherds shepherds_;
    slots<locked_deque<task_header*>> queues_;
    slots<place> places_;
};

sherwood_scheduler::sherwood_scheduler(const scheduler_settings& settings, idle_tracker& idle, std::size_t payload_size,
                                       std::size_t payload_alignment)
    : task_scheduler(settings, idle, payload_size, payload_alignment),
      shepherds_(settings, sherwood::traits().shepherds), queues_(shepherds_.count()), places_(settings.slots) {}

bool sherwood_scheduler::join_slot(unsigned slot, unsigned worker) noexcept {
    shepherds_.join_slot(slot, worker);
    places_[slot].next_victim = shepherds_.of(slot);
    return true;
}

unsigned sherwood_scheduler::push_to_queue(unsigned slot, task_header& made) noexcept {
    return queue_of(slot).push(&made) ? nobody : no_memory;
}

task_header* sherwood_scheduler::steal_from_others(unsigned slot) noexcept {
    unsigned& victim = places_[slot].next_victim;
    const unsigned own = shepherds_.of(slot);
    const unsigned count = queues_.size();
    for (unsigned step = 0; step < count; ++step) {
        if (victim != own) {
            if (task_header* const found = steal_from(victim, slot))
                return found;
        }
        victim = victim + 1 < count ? victim + 1 : 0;
    }
    return nullptr;
}

// The thief runs the oldest task; the others go to its shepherd. No worker is woken here for them: a member that has
// found something checks whether there is more and wakes one (team::search).
task_header* sherwood_scheduler::steal_from(unsigned victim, unsigned slot) noexcept {
    const unsigned own = shepherds_.of(slot);
    task_header* oldest = nullptr;
    task_header* newest = nullptr;
    std::size_t more = 0;
    queues_[victim].try_take_oldest(loot_size(own), [&](task_header* taken) {
        if (oldest == nullptr) {
            oldest = taken;
        } else {
            // relaxed, also below: only this thread has the tasks.
            newest->next.store(taken, std::memory_order_relaxed);
            ++more;
        }
        newest = taken;
    });
    if (more == 0)
        return oldest;
    task_header* last = oldest;
    const auto next = [&last] { return last = last->next.load(std::memory_order_relaxed); };
    if (!queues_[own].push_all(more, next)) {
        // keep() writes into the task's link.
        for (task_header* rest = next(); more != 0; --more)
            keep(slot, *std::exchange(rest, rest->next.load(std::memory_order_relaxed)));
    }
    return oldest;
}

// How many tasks a thief of the shepherd `own` takes. The number of members includes the thief.
unsigned sherwood_scheduler::loot_size(unsigned own) const noexcept {
    return settings_.sherwood_steal != 0 ? settings_.sherwood_steal : std::max(shepherds_.members(own), 1U);
}

bool sherwood_scheduler::has_free_tasks() const noexcept {
    for (unsigned i = 0; i < queues_.size(); ++i) {
        if (queues_[i].may_have_items())
            return true;
    }
    return false;
}

template struct on_descriptors<sherwood_scheduler>;

}  // namespace teff
