// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a fork leaves behind for others, and where it can be found: a job in the parent's frame, and each strand's list
// of its jobs.
//
//   nullptr <- oldest job <- ... <- youngest job        links run through the frames, the youngest is at hand
//              shared ...|... private
//
// A fork is plain most of the time: it leaves nothing behind and calls both functions. It leaves a job when others ask
// for work, and as long as the thread has fewer private jobs than it wants to have at hand for that; of the recursion
// of a tree these are the forks next to the root, and the work of nearly all others is one comparison: of the stack
// pointer with `limit`. That is the lowest address of the thread's stack while forks are plain, and the highest number
// there is while they are not. So one comparison notices a stack that is used up, a request (who asks overwrites the
// limit, the idea of the marks in queue/split_deque.hpp), and a thread that has too little at hand. A scheduler that
// wants every job gets it, since the limit then stays where it is.
//
// Jobs are shared from the oldest to the youngest, as tasks in the team's scheduler, which any scheduler can be
// (sharing.hpp). So what is shared lies at the root's end of the list, and a thread that waits for a shared job has no
// private one.
//
//                        link, take_back    is_shared        limit              state
//   the thread                 yes             yes            yes               once it has taken the job back
//   any other                   -               -        stores `requested`          once the job was shared
// Rejected: a job for every fork (20 instructions more for each, of which a good third are stores: fib took twice as
// long), an array of pointers to jobs (it has to grow), links to the younger job.
#pragma once

#include <teff/runtime/running_strand.hpp>
#include <teff/task/task_header.hpp>

#include <cstdint>
#include <exception>

namespace teff {

class task_team;

}  // namespace teff

namespace teff {

// The call of execute() that the calling function belongs to has been asked to stop. Thrown by forks, and by the
// handing over of tasks; to be let through.
class stopped : public std::exception {
public:
    const char* what() const noexcept override;
};

}  // namespace teff

namespace teff::forking {

// `state`: unfinished from its sharing until the thread that took it has ended with it; then has_run, or nothing if it
// was not run. Anybody may add cancelled, the thread that takes it adds begun.
struct job : task_header {
    explicit job(function what) noexcept : task_header(what) {}

    bool is_shared = false;
    bool is_counted = false;  // as one of strand::shared
    strand* maker = nullptr;  // once shared: the strand that made it
    job* before = nullptr;  // the next older one
    view* views = nullptr;  // once it has run elsewhere: what it has left for ordered reducers
};

// A job that the calling thread has taken from a queue, for the time in which it deals with it.
class taken_job {
public:
    explicit taken_job(job& taken) noexcept;
    // From here on the job's frame may be gone.
    ~taken_job();
    taken_job(const taken_job&) = delete;
    taken_job& operator=(const taken_job&) = delete;

    // False: it was dropped, or the team stops.
    bool is_to_run() const noexcept { return is_to_run_; }

private:
    job& job_;
    task_team& team_;
    bool is_to_run_;
};

// Whether the calling thread's next fork may leave nothing behind.
[[gnu::always_inline]] inline bool is_plain() noexcept {
    std::uintptr_t stack;
#if defined(__x86_64__)
    asm("mov{q %%rsp, %0| %0, rsp}" : "=r"(stack));
#else
    stack = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
#endif
    // relaxed: a request seen one fork later is as good; nothing is read through it.
    return stack >= running_thread.limit.load(std::memory_order_relaxed);
}

// Whether somebody idle would take the job of a fork at once, as far as the scheduler knows; for who asks again soon.
bool is_awaited() noexcept;

// Links a job, and shares what there is to share. Throws stack_exhausted or stopped, with nothing
// done.
void link(job& made);
// After the first function: whether the caller is to run the second one itself. If another thread has taken the job,
// returns when that has run it.
bool take_back(job& made) noexcept;
[[noreturn]] void throw_stopped();
// After that: throws stopped if nobody has run it.
void expect_run(const job& taken);
// The caller has no use for the job any more. Returns when nobody else has; true: it has run.
bool drop(job& made) noexcept;

}  // namespace teff::forking
