// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks with dependences (OpenMP 5.1, section 2.19.11): their depend clauses, in one form for both compilers; when such
// a task may run at once, how it is deferred, and how its end makes others ready.
//
// A task that can start while no idle worker asks for work runs at once and is not tracked: no sibling can be made
// before it has ended. All others are issued to the tracker of their family (dependence_table.hpp). From then on they
// count as children. The last of their predecessors to end queues them during its own run, so that the team's count of
// queued tasks cannot reach zero in between.
//
// mutexinoutset: the thread that takes such a task locks its objects. If one is locked, the task is kept with the lock,
// and the task that unlocks it queues it again.
//
//                          start_now, ..., defer    release    safe together?
//   start_now, ..., defer           -                 yes      the thread that runs the parent task
//   release                                           yes      any member of the team
#pragma once

#include <teff/depend/tracked.hpp>
#include <teff/frontends/openmp/core/teams/place.hpp>

#include <span>

namespace teff::openmp {

// An item of a clause:  in -> in   out, inout -> inout   mutexinoutset -> commutative   inoutset -> concurrent
struct dependence {
    void* address;
    depend::access_kind kind;
};

// The clauses of a task. It does not own the items.
struct dependence_list {
    dependence* items = nullptr;
    unsigned count = 0;
    bool has_all_memory = false;  // depend(inout: omp_all_memory)

    std::span<dependence> all() const noexcept { return {items, count}; }
    bool is_empty() const noexcept { return count == 0 && !has_all_memory; }
};

// Sorts the items by address, and merges items with the same address: the result has their common kind, or is inout if
// their kinds differ.
void merge(dependence_list& clauses) noexcept;

struct tracked_address;

// The part of a deferred task that the tracker uses. The accesses follow it in memory.
struct tracked_part;

// The mutexinoutset locks of a task that runs at once.
class held_locks {
public:
    explicit held_locks(place& caller) noexcept : here_(caller) {}
    // Unlocks, and queues tasks that wait for the locks.
    ~held_locks();
    held_locks(const held_locks&) = delete;
    held_locks& operator=(const held_locks&) = delete;

    // Whether a child of the running task with these dependences can start now. If so, this object holds its locks.
    bool start_now(const dependence_list& clauses) noexcept;
    bool is_empty() const noexcept { return count_ == 0; }

private:
    void unlock() noexcept;

    static constexpr unsigned most = 8;
    place& here_;
    tracked_address* locked_[most];
    unsigned count_ = 0;
};

// Makes `made` a child of the running task. It is queued, or run, when its dependences allow it.
void defer(place& caller, deferred_task& made, const dependence_list& clauses) noexcept;
// Waits until a child of the running task with these dependences could start; mutexinoutset counts as inout.
void wait_for_dependences(place& caller, const dependence_list& clauses) noexcept;

// Called by the thread that runs a task with dependences. False: the task waits for a lock, and the caller must no
// longer touch it.
bool lock_objects(tracked_part& part) noexcept;
// Called when the task has ended: frees its part, and adds the tasks that have become ready to `ready`.
void release(place& caller, tracked_part& ended, depend::ready_list& ready) noexcept;
deferred_task& task_of(depend::tracked_task& ready) noexcept;

// The function of the task that calls a tracker's search().
void run_search(task_header& self) noexcept;

}  // namespace teff::openmp
