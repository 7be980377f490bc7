// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads that the runtime knows, and what each of them waits for. A thread is known from its first sleep in the
// runtime, or from the first team that it opens. From then on its sleeps are counted (quiescence.hpp), so that a stall
// is not reported while it is awake.
//
//   know_this_thread, forget_this_thread, take_trace     the calling thread
//   find_thread_wait                                     any thread
#pragma once

#include <teff/strand/wait_reason.hpp>

#include <array>

namespace teff {

// Where a thread waits: the return addresses of its calls, innermost first, and the groups whose tasks it runs. The
// thread writes it when it has slept for long. Other threads read it while the thread sleeps.
struct wait_trace {
    struct owner_of_task {
        const void* group = nullptr;  // the task_group or arena; nullptr: none
        bool is_arena = false;
    };
    std::array<void*, 40> frames;
    std::array<owner_of_task, 4> owners;  // innermost first
    atomic<unsigned> frame_count{0};    // 0: not taken
};

struct known_thread {
    wait_record waits;
    wait_trace trace;
    atomic<long> thread{0};  // its number in the system; 0: the thread has exited
    unsigned worker = 0;     // its number in the pool; 0: a thread of the program
    known_thread* next = nullptr;
};

// Makes the calling thread known and returns its record; nullptr if there is no memory.
known_thread* know_this_thread() noexcept;
// For a worker that leaves the pool before it exits; other threads are forgotten when they exit.
void forget_this_thread() noexcept;

// Loads the library that walks stacks, so that a later walk need not load it.
void load_unwinder() noexcept;
// Writes the calling thread's present calls, and the groups of the tasks in `why`, which it waits for.
void take_trace(wait_trace& to, const wait_reason& why) noexcept;

// Calls visit(thread, wait, argument) for each thread that waits, until it returns true.
bool find_thread_wait(bool (*visit)(const known_thread& thread, const noted_wait& wait, void* argument) noexcept,
                      void* argument) noexcept;

// For the only thread of the child of a fork().
void forget_threads_after_fork() noexcept;

}  // namespace teff
