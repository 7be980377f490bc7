// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first scheduler of Qthreads (Evans and others, ROSS 2017, section 3): one lock-free FIFO per shepherd, and no
// stealing between shepherds.
//
//   shepherd 0 (member 0)   push 1, 3 ->  o o  -> run
//   shepherd 1 (member 1)   push 2, 4 ->  o o  -> run
//
// New tasks go to the shepherds in turn. Qthreads does the same with threads that are started without a target
// shepherd. As in the paper each worker is a shepherd; with the option `shepherds` several workers share a queue, and
// the member that pops first runs the task.
//
// No starvation, on one condition: a task waits for all tasks ahead of it in its queue, and until a worker of its
// shepherd has finished the task that it runs. The shepherds of Qthreads are fixed; teams here are elastic. So new
// tasks go to shepherds that have members, and while a shepherd has fewer members than workers, any member that runs
// dry may take its tasks. With the option `rescue` it may also take those of a shepherd whose members are all inside
// long tasks.
#include <teff/queue/fifo_queue.hpp>
#include <teff/reclaim/epoch.hpp>
#include <teff/scheduler/make_task_scheduler.hpp>
#include <teff/scheduler/shepherds.hpp>
#include <teff/scheduler/task_scheduler.hpp>

#include <new>
#include <optional>

namespace teff {

class fifo_scheduler final : public task_scheduler {
public:
    // Throws std::bad_alloc.
    fifo_scheduler(const scheduler_settings& settings, idle_tracker& idle, std::size_t payload_size,
                   std::size_t payload_alignment);

private:
    using queue = fifo_queue<task_header*, epoch_reclaimer>;
    struct alignas(false_sharing_range) group {
        std::optional<queue> tasks;
        last_look looked;  // of any of its members; with the option `rescue` only
    };
    struct alignas(false_sharing_range) place {
        unsigned last_group = 0;  // only the member uses it
    };

    bool join_slot(unsigned slot, unsigned worker) noexcept override;
    void leave_slot(unsigned slot) noexcept override { shepherds_.leave_slot(slot); }
    bool has_room(unsigned) noexcept override { return true; }
    unsigned push_to_queue(unsigned slot, task_header& made) noexcept override;
    task_header* pop(unsigned slot) noexcept override;
    task_header* steal_from_others(unsigned slot) noexcept override;
    bool has_free_tasks() const noexcept override;
    bool has_bound_tasks(unsigned slot) const noexcept override;
    bool has_dry_queue() const noexcept override { return dry_group() != nobody; }

    // A shepherd that has a member and an empty queue, or `nobody`.
    unsigned dry_group() const noexcept;
    unsigned groups_in_use() const noexcept;
    unsigned next_group(unsigned& last) const noexcept;
    task_header* take(unsigned shepherd, unsigned slot) noexcept;

    epoch_reclaimer reclaimer_;
    shepherds shepherds_;
    slots<group> groups_;  // declared after the reclaimer, which their destructors use
    slots<place> places_;
};

fifo_scheduler::fifo_scheduler(const scheduler_settings& settings, idle_tracker& idle, std::size_t payload_size,
                               std::size_t payload_alignment)
    : task_scheduler(settings, idle, payload_size, payload_alignment),
      reclaimer_(settings.slots, settings.epoch_threshold), shepherds_(settings, fifo::traits().shepherds),
      groups_(shepherds_.count()), places_(settings.slots) {
    if (!reclaimer_.valid())
        throw std::bad_alloc();
    for (unsigned i = 0; i < groups_.size(); ++i)
        groups_[i].tasks.emplace(reclaimer_);
    prepare_for_idle_workers();
}

bool fifo_scheduler::join_slot(unsigned slot, unsigned worker) noexcept {
    shepherds_.join_slot(slot, worker);
    places_[slot].last_group = shepherds_.of(slot);
    return true;
}

// Where each worker is a shepherd, those behind the last slot in use have never had a task.
unsigned fifo_scheduler::groups_in_use() const noexcept {
    return shepherds_.are_per_worker() ? registry_.used() : groups_.size();
}

// The next shepherd in turn that has a member; there is one, the calling member's own. If each worker is a shepherd and
// some worker is idle, also a vacant one: a worker that joins there finds its share of the tasks.
unsigned fifo_scheduler::next_group(unsigned& last) const noexcept {
    const unsigned count = groups_in_use();
    do
        last = last + 1 < count ? last + 1 : 0;
    while (shepherds_.members(last) == 0 && !(shepherds_.are_per_worker() && idle_.any()));
    return last;
}

unsigned fifo_scheduler::push_to_queue(unsigned slot, task_header& made) noexcept {
    unsigned to = takes_beyond_limit(slot) ? dry_group() : nobody;
    if (to == nobody)
        to = next_group(places_[slot].last_group);
    if (!groups_[to].tasks->push(slot, &made))
        return no_memory;
    if (shepherds_.are_per_worker())
        return to;
    return shepherds_.of(0) == to ? 0 : nobody;
}

task_header* fifo_scheduler::pop(unsigned slot) noexcept {
    const unsigned own = shepherds_.of(slot);
    if (settings_.rescue) [[unlikely]]
        groups_[own].looked.note();
    return take(own, slot);
}

task_header* fifo_scheduler::take(unsigned shepherd, unsigned slot) noexcept {
    queue& tasks = *groups_[shepherd].tasks;
    return tasks.may_have_items() ? tasks.pop(slot) : nullptr;
}

task_header* fifo_scheduler::steal_from_others(unsigned slot) noexcept {
    for (unsigned i = 0; i < groups_in_use(); ++i) {
        if (!shepherds_.misses_members(i) && !(rescues() && groups_[i].looked.is_long_ago()))
            continue;
        if (task_header* const found = take(i, slot))
            return found;
    }
    return nullptr;
}

bool fifo_scheduler::has_free_tasks() const noexcept {
    const bool includes_attended = rescues();
    for (unsigned i = 0; i < groups_in_use(); ++i) {
        if ((includes_attended || shepherds_.misses_members(i)) && groups_[i].tasks->may_have_items())
            return true;
    }
    return false;
}

bool fifo_scheduler::has_bound_tasks(unsigned slot) const noexcept {
    return groups_[shepherds_.of(slot)].tasks->may_have_items();
}

unsigned fifo_scheduler::dry_group() const noexcept {
    for (unsigned i = 0; i < groups_in_use(); ++i) {
        if (shepherds_.members(i) != 0 && !groups_[i].tasks->may_have_items())
            return i;
    }
    return nobody;
}

template struct on_descriptors<fifo_scheduler>;

}  // namespace teff
