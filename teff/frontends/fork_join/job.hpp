// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jobs and the list of open forks. A job is the second function of a fork, in a form that another thread can take. It
// lies in the frame of the fork, and each strand has a list of its jobs.
//
//   nullptr <- oldest job <- ... <- youngest job        the links run through the frames; the strand points to the
//                                                       youngest job
//
// Most forks are plain: they make no job and call both functions directly. A fork makes a job when another thread has
// asked for work, or when the thread has fewer than four tasks queued. In a recursion over a tree these are the forks
// near the root. Nearly all other forks cost one comparison, of the stack pointer with `limit`. While forks are plain,
// `limit` is the lowest address down to which the stack may be used; otherwise it is the largest number. So one
// comparison detects a stack that is used up, a request (a thief overwrites the limit, as it does with the marks in
// queue/split_deque.hpp), and a thread with too few tasks queued. For a scheduler that wants every job the limit stays
// at the largest number, so every fork makes a job.
//
// A job is shared when it is made: it is pushed to the team's scheduler as a task; any scheduler will do (sharing.hpp).
// A job that the scheduler refuses is not shared, and the parent runs it after the first function.
//
//                        link, take_back    is_shared        limit              state
//   the strand's thread        yes             yes            yes               yes
//   any other thread            -               -        stores `requested`     once the job is shared
// Rejected: a job for every fork (20 more instructions per fork, more than a third of them stores: fib took twice as
// long), an array of pointers to jobs (it has to grow), links to the younger job.
#pragma once

#include <teff/queue/mailbox.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/task/task_header.hpp>

#include <cstdint>
#include <exception>

namespace teff {

class task_team;

}  // namespace teff

namespace teff {

// Thrown by forks, and by calls that submit tasks, when the enclosing call of execute() has been asked to stop. Let it
// pass through.
class stopped : public std::exception {
public:
    // A sentence for messages.
    const char* what() const noexcept override;
};

}  // namespace teff

namespace teff::forking {

// `state` is `unfinished` from the moment the job is shared until the thread that took it no longer uses it. Then it is
// `has_run`, or 0 if the job was not run. Before that the parent may add `cancelled`, and the thread that takes the job
// adds `begun`. If a fiber made the job and waits for it, the fiber is suspended:
//
//   after the suspension        adds `has_waiter`       if the job had ended, the fiber continues, and the bit stays
//   the thread that took it     stores `has_run` or 0   if it sees `has_waiter`, it wakes the fiber
struct job : task_header {
    explicit job(function what) noexcept : task_header(what) {}

    bool is_shared = false;
    bool is_counted = false;   // whether strand::shared includes it
    bool is_of_fiber = false;  // once shared: whether its maker is a fiber
    strand* maker = nullptr;   // once shared: the strand that made it
    mailbox<task_header>* given_to = nullptr;  // nullptr: it was not given to a member directly
    enclosing around;          // once shared: the blocks and tasks around the fork
    view* views = nullptr;     // once another thread has run it: its views of ordered reducers
    job* before = nullptr;     // the next older one
};

// A scope in which the calling thread handles a job that it has taken from a queue.
class taken_job {
public:
    explicit taken_job(job& taken) noexcept;
    // Marks the job as finished. From then on the frame that contains the job may be destroyed.
    ~taken_job();
    taken_job(const taken_job&) = delete;
    taken_job& operator=(const taken_job&) = delete;

    // False: the job was cancelled, or the team is stopping.
    bool is_to_run() const noexcept { return is_to_run_; }

private:
    job& job_;
    task_team& team_;
    bool is_to_run_;
};

// Whether the calling thread's next fork may be plain, that is, make no job.
using teff::is_plain;

// Whether an idle worker would take the job of a fork at once, as far as the scheduler knows. A hint, for callers that
// ask again soon.
bool is_awaited() noexcept;

// Adds a job to the strand's list, and shares it if it is wanted. False: the stack is used up, and nothing was done.
// Throws stopped, or what the start of a team throws; then nothing was done, either.
bool link(job& made);
// Makes the fork on another stack (strand/more_stack.hpp). Throws stack_exhausted if there is none.
void fork_on_more_stack(void (*function)(void*), void* argument);
// Called after the first function. True: the caller must run the second one itself. False: another thread took the job
// and is finished with it; the call waits for that.
bool take_back(job& made) noexcept;
[[noreturn]] void throw_stopped();
// After take_back() has returned false: throws stopped if the job was not run.
void require_run(const job& taken);
// Called instead of take_back() when the caller does not need the job any more. Returns when no other thread uses it;
// true: it has run.
bool drop(job& made) noexcept;

}  // namespace teff::forking
