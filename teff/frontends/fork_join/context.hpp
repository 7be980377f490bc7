// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What fork-join knows of a thread; see job.hpp for the design.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/cache_line.hpp>

#include <cstdint>
#include <limits>

namespace teff::forking {

class member;
struct job;
struct view;

// A thread's own. Trivially destructible, and constant-initialised, so that the compiler needs no call to get at it.
// (Aligned to no more than what a loader can give to a library that comes later than the program.)
struct alignas(cache_line_size) context {
    static constexpr std::uintptr_t rung = std::numeric_limits<std::uintptr_t>::max();

    // others write
    atomic<std::uintptr_t> limit{rung};
    // the thread
    job* youngest = nullptr;     // or root
    job* root = nullptr;         // stands before the oldest; nullptr: this thread has not forked yet
    job* last_shared = nullptr;  // the youngest shared one, or root; of schedulers that share on request
    unsigned pending = 0;        // private ones
    unsigned groups = 0;         // task groups that were given a task, and may still have it
    view* views = nullptr;       // of the strand that it runs; see views.hpp
    member* self = nullptr;      // in the team that the thread works in; nullptr: in none
    std::uintptr_t stack_low = 0;     // of the thread's own stack; a coroutine of the user's may run on another one
    std::uintptr_t stack_limit = 0;   // 0: not measured yet
    std::uintptr_t stack_middle = 0;
    std::uintptr_t stack_high = 0;
};

}  // namespace teff::forking
