// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Task reductions (OpenMP 5.1, sections 2.21.5 and 2.21.6): a task group, or a construct with reduction(task, ...), has
// private copies of some variables, and each task that takes part works on the copies of the thread that runs it.
//
//   reduction_copies   the copies: for each thread of the team a chunk, which has one copy of each item at an offset
//   task_reductions    a group's record of them: the addresses by which its tasks name the items
//
//     area  | thread 0: item 0, item 1, ... | thread 1: item 0, ... | ...       `stride` bytes for each thread
//
// A task names an item by the address of the variable, or by that of any thread's copy if its parent used a copy. In
// Clang's reduction(task, ...) the variable is the thread's private one; a task of another function, which sees a
// global variable, names the item by the original's address. All groups around the task are searched, the innermost
// first.
//
// In a construct of the whole team, each thread has a group, and the groups share the copies: share_copies() and
// unshare_copies(). The first thread that arrives makes the copies, and the last one that leaves gets them back. All
// threads begin the same constructs of this kind in the same order, nested or one after the other, so each counts those
// that it has begun.
//
// GCC's code initializes and combines the copies itself; Clang's code passes functions for this. A copy is initialized
// when its thread first uses it.
#pragma once

#include <teff/frontends/openmp/core/teams/team.hpp>

#include <cstddef>

namespace teff::openmp {

struct reduction_item {
    std::size_t offset = 0;  // of a copy in its thread's chunk
    std::size_t size = 0;
    // nullptr: the copy begins as zeros. original: the variable's value before the construct.
    void (*init)(void* copy, void* original) = nullptr;
    void (*combine)(void* to, void* copy) = nullptr;  // nullptr: the compiler's code combines
    void (*end)(void* copy) = nullptr;                // nullptr: nothing to do
};

struct reduction_copies {
    unsigned threads = 1;
    unsigned count = 0;  // of items
    std::size_t stride = 0;
    std::byte* area = nullptr;
    std::size_t alignment = 64;
    reduction_item* items = nullptr;
    reduction_copies* next = nullptr;  // of the same construct
    bool* is_made = nullptr;  // for each thread and item; only that thread writes it

    std::byte* copy(unsigned thread, unsigned item) const noexcept {
        return area + thread * stride + items[item].offset;
    }
};
// Makes copies, with an area of zeros. Ends the program with a message if there is no memory, as all functions here do.
reduction_copies& make_copies(unsigned threads, unsigned count, std::size_t stride, std::size_t alignment) noexcept;
void free_copies(reduction_copies& unused) noexcept;

struct task_reductions {
    task_reductions* next = nullptr;  // of the same group
    reduction_copies* copies = nullptr;
    bool is_shared = false;  // the copies are those of the team
    // for each item: the addresses of the variable, and of its value before the construct
    struct names {
        void* variable;
        void* original;
    } * items = nullptr;
};
// Adds the copies to the innermost group of the running task.
task_reductions& add_reductions(place& caller, reduction_copies& copies) noexcept;

// The copies of a construct of the whole team (shared_construct, team.hpp). The first thread calls make(). Each thread
// calls unshare_copies() once, which returns the copies to the last thread and nullptr to all others.
//
// begin_shared() begins the thread's next construct: the first thread that arrives creates its record, still without
// copies, and the others find it.
shared_construct& begin_shared(place& caller, shared_reductions& in) noexcept;
template <class Make>
reduction_copies& share_copies(place& caller, shared_reductions& in, Make&& make) noexcept {
    const scoped_lock locked(in.guard);
    shared_construct& mine = begin_shared(caller, in);
    if (mine.copies == nullptr)
        mine.copies = &make();
    return *mine.copies;
}
reduction_copies* unshare_copies(place& caller, shared_reductions& in) noexcept;

// The calling thread's copy of the item that `address` names; nullptr: no group has this item. original (may be
// nullptr): receives the variable's address. from: the innermost group to search.
void* find_copy(place& caller, const taskgroup* from, void* address, void** original) noexcept;

// Called at the end of a group: combines and frees the copies that the compiler's code does not combine.
void end_reductions(place& caller, taskgroup& ended) noexcept;

}  // namespace teff::openmp
