// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of a thread, in three parts: the bounds of its stack, the strand that it runs, and its membership, which is
// its place in a task team. It also has the one word that plain forks compare with. This word belongs to the thread and
// not to the strand, since threads that ask this thread for work overwrite it.
//
// Strands move between threads. So after any call that may run a user's function, the context is accessed again by its
// name; no address of it, or of a part of it, is kept across such a call.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/strand/strand.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace teff {

class member_scope;
class task_member;

// The largest alignment that the loader provides for thread-local storage of a library that is loaded after the program
// has started.
#if defined(__x86_64__)
inline constexpr std::size_t most_alignment_of_late_tls = cache_line_size;
#else
inline constexpr std::size_t most_alignment_of_late_tls = 16;
#endif

// Trivially destructible and constant-initialised, so that the compiler accesses it without a call.
struct alignas(most_alignment_of_late_tls) thread_context {
    static constexpr std::uintptr_t requested = std::numeric_limits<std::uintptr_t>::max();

    // Other threads write `requested` to ask for work: the next fork then takes the slow path. The thread itself writes
    // the lowest address down to which its forks are plain, or `requested`.
    atomic<std::uintptr_t> limit{requested};
    // only the thread itself writes the rest
    strand* running = nullptr;      // nullptr: its own, which has not been used yet
    task_member* member = nullptr;  // in the team that the thread works in; nullptr: in none
    const member_scope* innermost = nullptr;  // the innermost scope in which the thread is a member
    stack_bounds stack;             // of the thread's own stack
    strand own{.home = nullptr};
};

}  // namespace teff
