// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the schedulers of OMPi and Qthreads have in common: their queues hold tasks, by their address.
//
// So nothing here depends on the item: these schedulers are compiled once, in the library, and serve every front end.
// `task_scheduler` counts tasks, finds the end, recycles descriptors, stops, wakes; a class derived from it answers
// where a task goes and where the next one comes from. task_scheduler_for<T> (task_scheduler_for.hpp) makes a scheduler
// over items of type T of it: tasks themselves, or values that are moved into a descriptor and out again.
//
// Rejected: queues of items by value, as demand has. The papers' queues are linked through their tasks, or move them
// from queue to queue, and a template per scheduler would be compiled into every call.
//
// A queue without a bound would let a breadth-first scheduler hold a whole level of the tree of tasks. So a member that
// has `task_limit` tasks which have not run is refused, as OMPi throttles; the papers' Qthreads have no such limit. It
// is not refused while a member is idle that only a push can give a task: that one needs it.
//
//   who may call what: as scheduler.hpp says of the operations with the same names; `slot` is the calling member's.
//   What a derived class implements:
//     attend, vacate    the member comes, goes. attend: false without memory
//     has_room          whether a task would be accepted now, as far as the queue is concerned
//     push_to_queue     takes a task of this member. Returns the slot whose member alone can take it, or nobody; or
//                       no_memory, and then the member keeps the task to itself
//     pop               the next task for this member, or nullptr
//     steal_from_others the same for a member that has run dry: one look around
//     has_free_tasks    whether a worker that comes might find something
//     has_bound_tasks   whether something waits for this slot that no other slot could take
//     has_dry_queue     whether there is an empty queue whose members take from no other. Then a task beyond the limit
//                       is accepted (takes_beyond_limit() in push_to_queue), which goes there
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/cache_line.hpp>
#include <teff/scheduler/idle_tracker.hpp>
#include <teff/scheduler/work_advertisement.hpp>
#include <teff/scheduler/member_registry.hpp>
#include <teff/scheduler/scheduler.hpp>
#include <teff/scheduler/settings.hpp>
#include <teff/scheduler/slots.hpp>
#include <teff/scheduler/stop_state.hpp>
#include <teff/scheduler/termination_detector.hpp>
#include <teff/task/descriptor_pool.hpp>

#include <cstddef>
#include <utility>

namespace teff {

class task_scheduler : public deleted_through_base {
public:
    static constexpr unsigned nobody = ~0U;

    virtual ~task_scheduler();
    task_scheduler(const task_scheduler&) = delete;
    task_scheduler& operator=(const task_scheduler&) = delete;

    // False, with nothing changed, if there is no memory.
    bool enter(unsigned slot, unsigned worker) noexcept;
    void leave(unsigned slot) noexcept;

    // Whether the team was stopped; items are then to be dropped.
    bool is_stopped() const noexcept { return stop_.is_set(); }

    // Whether a member that has made so many tasks which have not run may push another one.
    bool admits(unsigned slot, std::size_t pending) noexcept;
    void push(unsigned slot, task_header& made) noexcept;
    void push_overflow(unsigned slot, task_header& made) noexcept;
    // For values. A descriptor for a new item, or nullptr: refused. Then the item is put in, and it is pushed; or it is
    // taken back.
    task_descriptor* make(unsigned slot) noexcept;
    // The same regardless of bounds; nullptr: no memory.
    task_descriptor* make_anyhow(unsigned slot) noexcept;
    void take_back(unsigned slot, task_descriptor& made) noexcept;

    // The next own task, or nullptr.
    task_header* claim(unsigned slot) noexcept;
    // Where the member keeps the address of a task that it has claimed.
    task_header*& claimed(unsigned slot) noexcept { return members_[slot].claimed; }
    // A claimed task was handed on; or, for values, its payload is gone.
    void release(unsigned slot) noexcept { members_[slot].owes_run = true; }
    void release(unsigned slot, task_descriptor& claimed) noexcept;
    void ran_one(unsigned slot) noexcept;
    slot_counts counted(unsigned slot) const noexcept {
        const termination_detector::account& account = members_[slot].account;
        return {account.pushes(), account.runs()};
    }
    void retire(unsigned slot) noexcept;
    // True: claim() will deliver.
    bool steal(unsigned slot) noexcept;
    // After the last of some items was run or dropped: the end may have been reached by that.
    void tell_if_finished() noexcept;

    unsigned used_slots() const noexcept { return registry_.used(); }
    bool was_entered(unsigned slot) const noexcept { return members_[slot].was_entered; }
    bool finished() const noexcept;
    bool has_visible_work() const noexcept;
    bool has_work_for(unsigned slot) const noexcept { return has_bound_tasks(slot) || has_visible_work(); }
    std::size_t queued_estimate() const noexcept;
    void cancel() noexcept { stop_.cancel(); }
    void orphan() noexcept { stop_.orphan(); }

protected:
    // payload_size, payload_alignment: of values; size 0: the items are tasks, and no descriptors are needed. Throws
    // std::bad_alloc.
    task_scheduler(const scheduler_settings& settings, idle_tracker& idle, std::size_t payload_size,
                   std::size_t payload_alignment);

    static constexpr unsigned no_memory = nobody - 1;

    virtual bool attend(unsigned slot, unsigned worker) noexcept = 0;
    virtual void vacate(unsigned slot) noexcept = 0;
    virtual bool has_room(unsigned slot) noexcept = 0;
    virtual unsigned push_to_queue(unsigned slot, task_header& made) noexcept = 0;
    virtual task_header* pop(unsigned slot) noexcept = 0;
    virtual task_header* steal_from_others(unsigned slot) noexcept = 0;
    virtual bool has_free_tasks() const noexcept = 0;
    virtual bool has_bound_tasks(unsigned slot) const noexcept = 0;
    virtual bool has_dry_queue() const noexcept { return false; }

    // Whether the task that the member pushes now was admitted beyond the limit. Asked once for each push.
    bool takes_beyond_limit(unsigned slot) noexcept {
        bool& is_beyond = members_[slot].is_beyond_limit;
        return is_beyond && std::exchange(is_beyond, false);
    }

    const scheduler_settings settings_;
    idle_tracker& idle_;
    member_registry registry_;

private:
    struct alignas(false_sharing_range) member {
        // the member
        descriptor_pool pool;
        task_header* hand = nullptr;        // stolen, and not yet claimed
        task_header* claimed = nullptr;     // see claimed()
        task_header* overflow = nullptr;    // refused, and not run at once; linked by `next`
        bool was_entered = false;
        bool is_beyond_limit = false;  // its next push was admitted, since a queue has run dry
        bool owes_run = false;       // released, and its run not yet counted
        // the member writes, who is idle reads
        termination_detector::account account;
    };
    static constexpr unsigned caller_slot = 0;

    bool admits_beyond_limit(unsigned slot) noexcept;
    void keep(member& mine, task_header& made) noexcept;
    void notify_if_asleep(unsigned slot) noexcept;

    const std::size_t payload_size_;
    const std::size_t payload_alignment_;
    const std::size_t limit_;  // tasks of one member that have not run, before it is refused new ones
    slots<member> members_;
    stop_state stop_;
    work_advertisement advertisement_;
};

}  // namespace teff
