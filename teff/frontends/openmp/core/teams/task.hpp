// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tasks of OpenMP (5.1, section 2.12). A task is a record. While no idle worker asks for work, the record of an
// explicit task lies in the frame of the call that runs the task at once, and costs a few stores. The record of a
// deferred task lies in a descriptor, together with its data.
//
//   implicit task        in the place of its thread
//   task, run at once    in the frame of the call
//   deferred task        in a descriptor: header | deferred_task | data
//
// A task may end before its children do. So deferred children do not count themselves in their parent's record, but in
// its `family`, which lives until its last member has ended. The first deferred child creates the family.
//
// The records are here, with the objects that they own. The room tasks/ has the operations on tasks (README.md).
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/depend/tracked.hpp>
#include <teff/frontends/openmp/core/environment/icvs.hpp>
#include <teff/frontends/openmp/core/events/events.hpp>
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
    // The users of this object: the parent task, each child, and the families below. A place's own family stays at 1.
    atomic<unsigned> users{1};
    family* above = nullptr;  // the nearest family around the parent; nullptr: this is a place's own family
    unsigned depth = 0;       // number of families above
    unsigned unshared_waits = 0;  // successive waits of the parent for which its own thread has run all tasks
    dependence_table* dependences = nullptr;  // nullptr: no child with dependences has been deferred
};
// Ends the caller's use of the family, and with the last use the family.
void leave(family& left) noexcept;

// A task group (OpenMP 5.1, section 2.19.6). Its end waits for all deferred tasks that were made in it, and their
// descendants (tasks/wait.hpp). A task that runs at once has ended before and is not counted.
struct taskgroup {
    explicit taskgroup(bool is_implicit) noexcept : is_of_construct(is_implicit) {}

    count_latch unfinished;
    taskgroup* outer = nullptr;
    unsigned depth = 0;  // number of groups around it
    atomic<bool> is_cancelled{false};
    const bool is_of_construct;  // made for a construct with reduction(task, ...), not by the program
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
    static constexpr std::uint32_t asks_for_priority = 128;  // the entry point has the priority
    static constexpr std::uint32_t destroys_data = 256;  // call() is called even if the task was dropped, to destroy
    static constexpr std::uint32_t was_dropped = 512;    // cancelled before its function was called
    static constexpr std::uint32_t is_always_called = 1024;  // never dropped, since its function destroys its data
    static constexpr std::uint32_t is_on_helper = 2048;  // a helper thread has it (regions/helper_threads.hpp)
    static constexpr std::uint32_t owns_something = owns_environment | owns_family | has_priority;

    task* parent = nullptr;      // while this task runs at once, or is implicit: the task that made it
    taskgroup* group = nullptr;  // the innermost one
    const icvs* environment = nullptr;
    family* children = nullptr;  // nullptr: no child has been deferred
    family* siblings = nullptr;  // the family of which the task is a member; nullptr: the task was not deferred
    std::uint32_t flags = 0;
    std::uint32_t number = 0;  // identifies the task for locks; 0: not asked for yet
    [[no_unique_address]] events::task_record tool;

    bool is(std::uint32_t bits) const noexcept { return (flags & bits) != 0; }
};

// A task in a descriptor. Its data follows in the payload.
struct alignas(16) deferred_task : task {
    void (*call)(deferred_task& self) noexcept = nullptr;  // calls the user's function
    void* function = nullptr;
    void* data = nullptr;
    deferred_task* next_spare = nullptr;  // tasks/task_memory.hpp
    tracked_part* dependences = nullptr;  // tasks/dependences.hpp; nullptr: it has none, or they did not make it wait
    completion_event* event = nullptr;    // tasks/completion_event.hpp; nullptr: it ends when its function returns
    std::uint32_t payload_size = 0;       // 0: the memory is a spare block
    std::uint32_t data_size = 0;          // for the entry points
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
// The running task's environment, for changes: makes one if the task shares that of its parent.
icvs& own_environment(place& caller) noexcept;
// Releases the objects that a task owns, at the end of its record.
[[gnu::noinline]] void release_owned(task& ended) noexcept;

[[noreturn]] void end_without_memory_for_task() noexcept;

}  // namespace teff::openmp
