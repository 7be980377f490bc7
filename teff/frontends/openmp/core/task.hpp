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
// Which tasks a waiting thread may run (task scheduling constraint, section 2.12.6): only descendants of the task that
// waits. A thread only begins a task on top of another one if it descends from that one, so this also holds for all
// tasks further down on its stack. Waits at barriers may run any task of the team.
//
//                       run_at_once, defer, wait    end of a deferred task    safe together?
//   run_at_once, ...               -                         yes              the thread that runs the parent
//   end                                                      yes              any member of the team
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/depend/tracked.hpp>
#include <teff/frontends/openmp/core/icvs.hpp>
#include <teff/runtime/count_latch.hpp>
#include <teff/task/task_descriptor.hpp>

#include <cstddef>
#include <cstdint>
#include <new>

namespace teff::openmp {

class dependence_table;
struct completion_event;
struct place;
struct taskgroup;
struct tracked_part;

// The deferred children of a task.
struct family {
    family() noexcept = default;
    ~family();
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
    deferred_task* next_spare = nullptr;  // task_memory.hpp
    tracked_part* dependences = nullptr;  // dependences.hpp; nullptr: it has none, or they did not make it wait
    completion_event* event = nullptr;    // completion_event.hpp; nullptr: it ends when its function returns
    std::uint32_t payload_size = 0;       // 0: the memory is a spare block
    std::uint32_t data_size = 0;          // for a front end
    bool is_resubmitted = false;          // untied: the next part of the task is to be called

    task_descriptor& memory() noexcept { return task_descriptor::of_payload(this, alignof(deferred_task)); }
    static deferred_task& of(task_header& header) noexcept {
        auto& memory = static_cast<task_descriptor&>(header);
        return *std::launder(static_cast<deferred_task*>(memory.payload(alignof(deferred_task))));
    }
};

// Whether to make the next task a deferred one; run_at_once.hpp has the fast path before it.
[[gnu::noinline]] bool wants_to_defer(place& here) noexcept;

// Makes it a child of the running task, and queues it, or runs it now if the scheduler refuses it.
void defer(place& here, deferred_task& made) noexcept;
// Runs it now, as a child of the running task, and frees it.
void run_now(place& here, deferred_task& made) noexcept;
// Calls the task's function, part by part if it is untied. False: it is cancelled, and its function was not called.
bool call_parts(place& here, deferred_task& self) noexcept;

// The two halves of defer(), for tasks that become ready later. The child is counted first. When it is ready, a member
// of its team queues it or, if the scheduler refuses it, runs it.
void count_child(place& here, deferred_task& made) noexcept;
void make_ready(place& here, deferred_task& ready) noexcept;
void make_ready(place& here, depend::ready_list& ready) noexcept;
// The same for a thread that must not run them.
void hand_out(place& here, depend::ready_list& ready) noexcept;
// Counts it as a child, and runs it now.
void run_counted(place& here, deferred_task& made) noexcept;
// The task's function has returned and its event, if any, is fulfilled: ends a task that was counted. Adds
// to `refused` the tasks that the caller has to run, since the scheduler has refused them.
void complete(place& here, deferred_task& ended, depend::ready_list& refused) noexcept;

// Waits for the deferred children of the running task.
void wait_for_children(place& here) noexcept;
// Waits until the latch is zero. The thread runs tasks that the running task may wait for, and those of `group`.
void wait_for(place& here, count_latch& latch, const taskgroup* group) noexcept;

// The task that the team is about to run, if it is one of these.
const deferred_task* as_queued_task(const task_header& some) noexcept;

// Runs a queued task that the running one may wait for. False: there is none.
bool run_a_descendant(place& here) noexcept;

// Gives the task an environment of its own, with the same values.
void keep_environment(task& of) noexcept;
// The running task's environment, to be changed.
icvs& own_environment(place& here) noexcept;
// The end of a task's record: what it owns.
[[gnu::noinline]] void release_owned(task& ended) noexcept;
// The family of a task's children. Ends the program with a message if there is no memory.
family& family_of(task& parent) noexcept;

}  // namespace teff::openmp
