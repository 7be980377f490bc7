// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of an arena: a team that takes guests (team/guests.hpp) and stays open, and the number of tasks that were
// enqueued and have not ended.
//
//   execute    the calling thread is a guest during the call; or a member runs the call, and the thread waits
//   enqueue    puts the task into the team's lanes, as a task that a thread outside the team makes ready
//   the end    waits until that number is zero, and then closes the team
//
// Arenas add no mechanism of their own: the number of the team's slots limits the threads, the pool orders arenas like
// all its sources, and a worker is bound to the arena's CPUs for the time of its visit.
//
// In the child of a fork() the team's other members do not exist, and its tasks are those of the parent. So an arena
// has one life per process: the first use in a child begins a new life and leaves the old one untouched.
//
//                     run   enqueue   wait   safe together?
//   run, enqueue      yes     yes      yes   any thread; a concurrent wait may or may not include the task
//   wait                               yes   any thread, but not in one of the arena's enqueued tasks
// Construction and destruction exclude everything but enqueued tasks that run.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/machine/cpu_mask.hpp>
#include <teff/options.hpp>
#include <teff/strand/wait_reason.hpp>
#include <teff/task/task_header.hpp>
#include <teff/team/count_latch.hpp>
#include <teff/team/first_looks.hpp>
#include <teff/team/team_options.hpp>

#include <optional>
#include <stop_token>

namespace teff {

class task_team;

}  // namespace teff

namespace teff::forking {

// The binding and priority of an arena; see teff/arena.hpp.
struct arena_place {
    int priority = 0;
    std::optional<long> numa_domain = {};
    std::optional<long> core_kind = {};
};

class arena_life;

class arena_state {
public:
    // Throws what the start of a team throws, and std::invalid_argument if the machine lacks the place.
    arena_state(const options& call, const arena_place& where);
    ~arena_state();
    arena_state(const arena_state&) = delete;
    arena_state& operator=(const arena_state&) = delete;

    unsigned threads() const noexcept { return how_.settings.slots; }

    // Calls function(argument) in the arena. Throws what it throws.
    void run(void (*function)(void*), void* argument);
    // Returns when all tasks that were enqueued before have ended.
    void wait();

    // The life in this process. Throws what the start of a team throws, in the child of a fork().
    arena_life& life();

private:
    cpu_mask cpus_;
    team_options how_;
    const std::stop_token stop_;
    atomic<arena_life*> life_{nullptr};
};

// The arena in one process. It counts each task from enqueue() to end_one(), and its destructor waits for the count.
class arena_life {
public:
    arena_life(const team_options& options, const std::stop_token& stop);
    ~arena_life();
    arena_life(const arena_life&) = delete;
    arena_life& operator=(const arena_life&) = delete;

    bool is_of_this_process() const noexcept;

    // Makes a task ready. Its run() calls end_one() as its last use of the arena.
    void enqueue(task_header& made) noexcept;
    void end_one() noexcept { pending_.count_down(); }

    void run(void (*function)(void*), void* argument);
    void wait();

private:
    struct stopper {
        task_team& team;
        void operator()() const noexcept;
    };

    void run_without_workers() noexcept;
    // The calling thread is a member until all tasks of the arena have ended. False: no room, stack or memory for that.
    bool run_tasks_as_guest();
    // For the report of a stall.
    wait_reason waits_for(const char* event) const noexcept;
    void wait_for_tasks() noexcept;

    task_team* const team_;
    const unsigned generation_;
    count_latch pending_;
    first_looks first_looks_{{.more = 16, .yields = true}};
    std::optional<std::stop_callback<stopper>> on_stop_;
};

}  // namespace teff::forking
