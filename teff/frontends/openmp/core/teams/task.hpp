// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tasks of OpenMP (5.1, section 2.12). A task is a record. While nobody asks for work, the record of an explicit
// task lies in the frame of the call that runs the task at once, and costs a few stores. A task that is deferred has
// its record in a descriptor, together with its data.
//
//   implicit task        in the place of its thread
//   task, run at once    in the frame of the call
//   deferred task        in a descriptor: header | deferred_task | data
//
// A task may end before its children do. So deferred children do not count themselves in their parent's record, but in
// its `family`, which lives until its last member has ended. The first deferred child makes it.
//
// The records are here, with what they own; what happens to a task is in the room tasks/ (its way: README.md).
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/depend/tracked.hpp>
#include <teff/frontends/openmp/core/environment/icvs.hpp>
#include <teff/task/descriptor_pool.hpp>
#include <teff/team/count_latch.hpp>

#include <cstddef>
#include <cstdint>
#include <new>

namespace teff::openmp {

class dependence_table;
struct completion_event;
struct place;
struct task_reductions;
struct tracked_part;

// The deferred children of a task.
struct family {
    family() noexcept = default;
    ~family();  // dependences.cpp
    family(const family&) = delete;
    family& operator=(const family&) = delete;

    count_latch unfinished;
    // The parent task and each child, and families below, that still use this object. One in a place stays at 1.
    atomic<unsigned> users{1};
    family* above = nullptr;  // of the nearest task around the parent that has one; nullptr: it is an implicit task's
    unsigned depth = 0;       // number of families above
    unsigned unshared_waits = 0;  // of the parent, in a row, for which its thread has run all tasks
    dependence_table* dependences = nullptr;  // nullptr: no child with dependences was deferred so far
};
// The caller does not use the family any more.
void leave(family& left) noexcept;

// A task group (OpenMP 5.1, section 2.19.6). Its end waits for all deferred tasks that were made in it, and their
// descendants (tasks/wait.hpp). Tasks that run at once have ended before and are not counted.
struct taskgroup {
    explicit taskgroup(bool is_implicit) noexcept : is_of_construct(is_implicit) {}

    count_latch unfinished;
    taskgroup* outer = nullptr;
    unsigned depth = 0;  // number of groups around it
    atomic<bool> is_cancelled{false};
    const bool is_of_construct;  // of a construct with reduction(task, ...): the program knows nothing of the group
    task_reductions* reductions = nullptr;
};

struct task {
    static constexpr std::uint32_t is_explicit = 1;
    static constexpr std::uint32_t is_final = 2;
    static constexpr std::uint32_t is_untied = 4;
    static constexpr std::uint32_t is_deferred = 8;        // its record is a deferred_task
    static constexpr std::uint32_t owns_environment = 16;  // `environment` is this task's alone
    static constexpr std::uint32_t owns_family = 32;       // `children` is from the heap
    static constexpr std::uint32_t has_priority = 64;      // in its descriptor; back to 0 at its end
    static constexpr std::uint32_t asks_for_priority = 128;  // the front end knows which one
    static constexpr std::uint32_t destroys_data = 256;  // call() is called even if the task was dropped,
    static constexpr std::uint32_t was_dropped = 512;    // which this tells
    static constexpr std::uint32_t is_always_called = 1024;  // since its function destroys its data
    static constexpr std::uint32_t owns_something = owns_environment | owns_family | has_priority;

    task* parent = nullptr;      // while this task runs at once, or is implicit: the task that made it
    taskgroup* group = nullptr;  // the innermost one
    const icvs* environment = nullptr;
    family* children = nullptr;  // nullptr: no child was deferred so far
    family* siblings = nullptr;  // the one that it is a member of; nullptr: it was not deferred
    std::uint32_t flags = 0;
    std::uint32_t number = 0;  // identifies the task for locks; 0: not asked for yet

    bool is(std::uint32_t bits) const noexcept { return (flags & bits) != 0; }
};

// A task in a descriptor. Its data follows, or lies elsewhere in the payload.
struct alignas(16) deferred_task : task {
    void (*call)(deferred_task& self) noexcept = nullptr;  // calls the user's function
    void* function = nullptr;
    void* data = nullptr;
    deferred_task* next_spare = nullptr;  // tasks/task_memory.hpp
    tracked_part* dependences = nullptr;  // tasks/dependences.hpp; nullptr: it has none, or they did not make it wait
    completion_event* event = nullptr;    // tasks/completion_event.hpp; nullptr: it ends when its function returns
    std::uint32_t payload_size = 0;       // 0: the memory is a spare block
    std::uint32_t data_size = 0;          // for a front end
    bool is_resubmitted = false;          // untied: the next part of the task is to be called

    task_descriptor& memory() noexcept { return task_descriptor::of_payload(this, alignof(deferred_task)); }
    static deferred_task& of(task_header& header) noexcept {
        auto& memory = static_cast<task_descriptor&>(header);
        return *std::launder(static_cast<deferred_task*>(memory.payload(alignof(deferred_task))));
    }
};

// The family of a task's children. Ends the program with a message if there is no memory, as the functions below do.
[[gnu::noinline]] family& make_family(task& parent) noexcept;
inline family& family_of(task& parent) noexcept {
    return parent.children != nullptr ? *parent.children : make_family(parent);
}

// Gives the task an environment of its own, with the same values.
void keep_environment(task& parent) noexcept;
// The running task's environment, to be changed.
icvs& own_environment(place& caller) noexcept;
// The end of a task's record: what it owns.
[[gnu::noinline]] void release_owned(task& ended) noexcept;

[[noreturn]] void end_without_memory_for_task() noexcept;

}  // namespace teff::openmp
