// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a thread knows of itself, in three parts: the bounds of its stack, the strand that it runs, and its membership,
// the place that it has in a team of tasks. Beside them stands the one word that plain forks compare with; it is the
// thread's, since those who ask the thread for work overwrite it.
//
// Strands move between threads, so after any call that may run a user's function, the context is found again through
// its name. No address of it, or of a part of it, is kept across such a call.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/cache_line.hpp>
#include <teff/runtime/strand.hpp>

#include <cstdint>
#include <limits>

namespace teff {

class task_member;

// Trivially destructible, and constant-initialised, so that the compiler needs no call to get at it. (Aligned to no
// more than what a loader can give to a library that comes later than the program.)
struct alignas(cache_line_size) thread_context {
    static constexpr std::uintptr_t requested = std::numeric_limits<std::uintptr_t>::max();

    // Others write `requested`: the next fork looks who asks. The thread writes the lowest address down to which its
    // forks are plain, or `requested`.
    atomic<std::uintptr_t> limit{requested};
    // the thread writes the rest
    strand* running = nullptr;      // nullptr: its own, which has not been used yet
    task_member* member = nullptr;  // in the team that the thread works in; nullptr: in none
    stack_bounds stack;             // of the thread's own stack
    strand own{.home = nullptr};
};

}  // namespace teff
