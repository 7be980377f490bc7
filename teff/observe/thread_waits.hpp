// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads that the runtime knows, and what each of them waits for. A thread is known from its first sleep in the
// runtime, or from the first team that it opens. From then on its sleeps are counted (quiescence.hpp), so that a stall
// is not reported while it is awake.
//
//   know_this_thread, take_trace     the calling thread
//   find_thread_wait                 any thread
#pragma once

#include <teff/strand/wait_reason.hpp>

#include <array>

namespace teff {

// Where a thread waits: the addresses that its calls return to, innermost first; and whose tasks it runs.
// The thread writes it when it has slept for long. Others read it while the thread sleeps.
struct wait_trace {
    struct owner_of_task {
        const void* group = nullptr;  // or arena; nullptr: there is none
        bool is_arena = false;
    };
    std::array<void*, 40> frames;
    std::array<owner_of_task, 4> owners;  // innermost first
    atomic<unsigned> frame_count{0};    // 0: not taken
};

struct known_thread {
    wait_record waits;
    wait_trace trace;
    atomic<long> thread{0};  // its number in the system; 0: of no thread any more
    unsigned worker = 0;     // its number in the pool; 0: a thread of the program
    known_thread* next = nullptr;
};

// Makes the thread known. nullptr: there is no memory.
known_thread* know_this_thread() noexcept;

// Afterwards, to find out the calls of a thread or fiber loads no library.
void load_unwinder() noexcept;
// Writes where the thread is, which has been asleep for this reason.
void take_trace(wait_trace& to, const wait_reason& why) noexcept;

// Calls visit(thread, wait, argument) for each thread that waits, until it returns true.
bool find_thread_wait(bool (*visit)(const known_thread& thread, const noted_wait& wait, void* argument) noexcept,
                      void* argument) noexcept;

// For the only thread of the child of a fork().
void forget_threads_after_fork() noexcept;

}  // namespace teff
