// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a fork leaves behind for others, and where it can be found: a job in the parent's frame, and each thread's list
// of its jobs.
//
//   root <- oldest job <- ... <- youngest job           links run through the frames, the youngest is at hand
//           shared ...|... private
//
// A fork links the job and calls the first function; a join that finds its job private unlinks it and calls the second
// one. Both are a few plain loads and stores of the thread's own memory, and one comparison: of the address of the job
// with `limit`. That is the lowest address of the thread's stack; whoever wants work, or a scheduler that wants every
// job, overwrites it with the highest number there is. So one comparison notices both a stack that is used up and a
// request (the idea of the marks in queue/split_deque.hpp). All else is out of line (fork_join.cpp).
//
// Jobs are shared from the oldest to the youngest: as entries in the team's scheduler, which any scheduler can be. So
// what is shared lies at the root's end of the list, and a thread that waits for a shared job has no private one.
//
// What it costs is stores more than instructions (a processor commits about one per cycle): three in a job, two to the
// thread's context. So nothing lives in a register across the calls that would have to be saved there: the thread's
// context is found anew (as a thread that changes would need it), and the link is in the job.
//
//                        push, take_back         limit              run, state
//   the thread                 yes                yes               run: alone, until shared
//   any other                   -           stores `rung`           state: once shared
// Rejected: an array of pointers to jobs (a store and a load of its top per fork and join, each waiting for the one
// before, and it has to grow), links to the younger job (a register more), a flag for each job beside `run`.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/cache_line.hpp>

#include <cstdint>
#include <limits>

namespace teff::forking {

class member;

struct job {
    using function = void (*)(job&) noexcept;

    // Nothing is written: a fork sets `run`, push() links.
    job() noexcept {}
    ~job() {}
    job(const job&) = delete;
    job& operator=(const job&) = delete;

    // Bits of `state`.
    static constexpr unsigned done = 1;       // whoever took it has no more use for it
    static constexpr unsigned has_run = 2;    // there is an outcome
    static constexpr unsigned cancelled = 4;  // not to be begun any more

    function run;  // nullptr: shared
    job* before;   // the next older one, or root
    union {
        atomic<unsigned> state;  // once shared
    };
};

// A thread's own. Trivially destructible, and constant-initialised, so that the compiler needs no call to get at it.
struct alignas(false_sharing_range) context {
    static constexpr std::uintptr_t rung = std::numeric_limits<std::uintptr_t>::max();

    // others write
    atomic<std::uintptr_t> limit{rung};
    // the thread
    job* youngest = nullptr;      // or root
    job* root = nullptr;          // stands before the oldest; nullptr: this thread has not forked yet
    job* last_shared = nullptr;   // the youngest shared one, or root; of schedulers that share on request
    member* self = nullptr;       // in the team that the thread works in; nullptr: in none
    std::uintptr_t stack_limit = 0;
    std::uintptr_t stack_middle = 0;
};

extern constinit thread_local context current [[gnu::tls_model("initial-exec")]];

// The calling thread's, found anew at each call: never kept across a call into user code.
[[gnu::always_inline]] inline context& own_context() noexcept {
#if defined(__x86_64__) && !defined(__ILP32__)
    context* own;
    asm volatile("movq _ZN4teff7forking7currentE@gottpoff(%%rip), %0\n\taddq %%fs:0, %0" : "=r"(own) : : "cc");
    return *own;
#else
    return current;
#endif
}

// Out of line: a request, the first fork of a thread, or a stack that is used up (throws stack_exhausted). Links.
[[gnu::cold]] void push_slow(job& made);
// Out of line: the job was shared. True: it was taken back, and the caller runs it. False: somebody else has run it.
[[gnu::cold]] bool take_back_shared(job& made) noexcept;
// Out of line: the caller has no use for the job any more. Returns when nobody else has; true: it has run.
[[gnu::cold]] bool drop(job& made) noexcept;

// Links a job whose `run` is set. False: not done, for push_slow() to do it.
[[gnu::always_inline]] inline bool push(job& made) noexcept {
    context& here = own_context();
    job* self = &made;
    asm("" : "+r"(self));
    // relaxed: a request seen one fork later is as good; nothing is read through it.
    if (reinterpret_cast<std::uintptr_t>(self) < here.limit.load(std::memory_order_relaxed)) [[unlikely]]
        return false;
    made.before = here.youngest;
    here.youngest = self;
    return true;
}

// After the first function: whether the caller is to run the second one itself.
[[gnu::always_inline]] inline bool take_back(job& made) noexcept {
    if (made.run == nullptr) [[unlikely]]
        return take_back_shared(made);
    own_context().youngest = made.before;
    return true;
}

}  // namespace teff::forking
