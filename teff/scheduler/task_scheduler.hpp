// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common base of the schedulers of OMPi and Qthreads, whose queues hold pointers to tasks.
//
// Since nothing here depends on the type of the items, these schedulers are compiled once, in the library, and serve
// every front end. `task_scheduler` counts tasks, finds the end, recycles descriptors, stops the team and wakes
// threads. A derived class decides where a task goes and where the next one comes from. task_scheduler_for<T>
// (task_scheduler_for.hpp) makes a scheduler over items of type T from it: the items are tasks themselves, or values
// that are moved into a descriptor and out again.
//
// Rejected: queues of items by value, as in demand. The papers' queues are linked through their tasks, or tasks move
// from queue to queue, and one template per scheduler would be compiled into every call.
//
// With an unbounded queue, a breadth-first scheduler could hold a whole level of the tree of tasks. So a member is
// refused further tasks once `task_limit` of its tasks have not run, as OMPi throttles; the papers' Qthreads has no
// such limit. Exception: a task is accepted while some member is idle that receives tasks only by pushes, since that
// member needs it.
//
//   Who may call what: as in scheduler.hpp for the operations with the same names; `slot` is the calling member's.
//   A derived class implements:
//     join_slot, leave_slot   the member joins or leaves. join_slot: false if there is no memory
//     has_room                whether the queue would accept a task now
//     push_to_queue           queues a task of this member. Returns a slot whose member must be woken for it if that
//                             member sleeps, because not every member can take the task; or `nobody`; or `no_memory`:
//                             then the member keeps the task to itself
//     pop                     the next task for this member, or nullptr
//     steal_from_others       the same for a member that has run dry: one attempt to take a task from elsewhere
//     has_free_tasks          whether a worker that joins now might find something
//     has_bound_tasks         whether tasks wait for this slot, or its shepherd, that not every member can take
//     has_dry_queue           whether there is an empty queue whose members take from no other. If so, a task beyond
//                             the limit is accepted, and push_to_queue() puts it there (it asks takes_beyond_limit())
//     add_own_counts          adds to a slot's counts what only the derived class counts
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/scheduler/dealing_team.hpp>
#include <teff/scheduler/scheduler.hpp>
#include <teff/scheduler/settings.hpp>
#include <teff/task/descriptor_pool.hpp>

#include <cstddef>
#include <utility>

namespace teff {

// A slot, and the state of its member.
struct alignas(false_sharing_range) task_scheduler_slot {
    // only the member uses these
    descriptor_pool pool;
    task_header* hand = nullptr;        // stolen, and not yet claimed
    task_header* claimed = nullptr;     // see claimed()
    task_header* overflow = nullptr;    // from push_overflow(), or kept for lack of memory; linked by `next`
    bool was_entered = false;
    bool is_beyond_limit = false;  // its next push was admitted because a queue has run dry
    bool run_uncounted = false;       // a task was released, and its run is not yet counted
    // the member writes, idle members read
    termination_detector::account account;
    last_look looked;
};

class task_scheduler : public deleted_through_base, protected dealing_team<task_scheduler_slot> {
    using member = task_scheduler_slot;

public:
    using dealing_team::cancel, dealing_team::finished, dealing_team::has_found_end, dealing_team::orphan,
        dealing_team::queued_estimate;
    static constexpr unsigned nobody = ~0U;

    virtual ~task_scheduler();
    task_scheduler(const task_scheduler&) = delete;
    task_scheduler& operator=(const task_scheduler&) = delete;

    // False, with nothing changed, if there is no memory.
    bool enter(unsigned slot, unsigned worker) noexcept;
    void leave(unsigned slot) noexcept;

    // Whether the team was stopped; items are then to be dropped.
    bool is_stopped() const noexcept { return stop_.is_set(); }

    // Whether a member may push another task while `pending` tasks that it made have not run.
    bool admits(unsigned slot, std::size_t pending) noexcept;
    void push(unsigned slot, task_header& made) noexcept;
    void push_overflow(unsigned slot, task_header& made) noexcept;
    // For values: returns a descriptor for a new item, or nullptr if the item is refused. The caller then either
    // moves the item in and calls push(), or calls take_back().
    task_descriptor* make(unsigned slot) noexcept;
    // The same regardless of bounds; nullptr: no memory.
    task_descriptor* make_unbounded(unsigned slot) noexcept;
    void take_back(unsigned slot, task_descriptor& made) noexcept;

    // The next own task, or nullptr.
    task_header* claim(unsigned slot) noexcept;
    // The address of the task that the member has claimed.
    task_header*& claimed(unsigned slot) noexcept { return slots_[slot].claimed; }
    // Called when a claimed task was handed over to be run; or, for values, when its payload was destroyed.
    void release(unsigned slot) noexcept { slots_[slot].run_uncounted = true; }
    void release(unsigned slot, task_descriptor& claimed) noexcept;
    void ran_one(unsigned slot) noexcept;
    slot_counts counted(unsigned slot) const noexcept {
        const termination_detector::account& account = slots_[slot].account;
        slot_counts counts{.pushed = account.pushes(), .run = account.runs()};
        add_own_counts(slot, counts);
        return counts;
    }
    void retire(unsigned slot) noexcept;
    // True: claim() will deliver.
    bool steal(unsigned slot) noexcept;
    // Called after items were run or dropped, which may have been the last ones.
    using dealing_team::notify_if_finished;

    unsigned used_slots() const noexcept { return registry_.used(); }
    bool was_entered(unsigned slot) const noexcept { return slots_[slot].was_entered; }
    bool has_visible_work() const noexcept;
    bool has_work_for(unsigned slot) const noexcept { return has_bound_tasks(slot) || has_visible_work(); }

protected:
    // payload_size, payload_alignment: of values; size 0: the items are tasks, and no descriptors are needed. Throws
    // std::bad_alloc.
    task_scheduler(const scheduler_settings& settings, idle_tracker& idle, std::size_t payload_size,
                   std::size_t payload_alignment);

    static constexpr unsigned no_memory = nobody - 1;

    virtual bool join_slot(unsigned slot, unsigned worker) noexcept = 0;
    virtual void leave_slot(unsigned slot) noexcept = 0;
    virtual bool has_room(unsigned slot) noexcept = 0;
    virtual unsigned push_to_queue(unsigned slot, task_header& made) noexcept = 0;
    virtual task_header* pop(unsigned slot) noexcept = 0;
    virtual task_header* steal_from_others(unsigned slot) noexcept = 0;
    virtual bool has_free_tasks() const noexcept = 0;
    virtual bool has_bound_tasks(unsigned slot) const noexcept = 0;
    virtual bool has_dry_queue() const noexcept { return false; }
    virtual void add_own_counts(unsigned, slot_counts&) const noexcept {}

    // For schedulers that deal to the members in turn. Called in their constructors: the first task often creates all
    // others before a second worker has joined, so the slots that idle workers will probably take are listed from the
    // start.
    void prepare_for_idle_workers() noexcept;
    // The slot that gets the member's next task; its own if there is no other. While a worker is idle, tasks are dealt
    // to vacant slots, too: a worker that joins there finds its share of them.
    unsigned next_in_turn(unsigned slot, member_registry::round_robin& turns) noexcept {
        const unsigned next = turns.next(registry_, idle_.any(), [](unsigned) { return true; });
        return next == member_registry::round_robin::nobody ? slot : next;
    }
    // Puts a task that no queue has memory for into the member's own list.
    void keep(unsigned slot, task_header& task) noexcept;
    // Whether the task that the member pushes now was admitted beyond the limit. Asked exactly once for each push.
    bool takes_beyond_limit(unsigned slot) noexcept {
        bool& is_beyond = slots_[slot].is_beyond_limit;
        return is_beyond && std::exchange(is_beyond, false);
    }

private:
    bool admits_beyond_limit(unsigned slot) noexcept;
    task_header* claim_untold(unsigned slot) noexcept;

    const std::size_t payload_size_;
    const std::size_t payload_alignment_;
    const std::size_t limit_;  // tasks of one member that have not run, before it is refused new ones
};

}  // namespace teff
