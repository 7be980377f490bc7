// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a thread stands in OpenMP's model: its place in a team, and the task that it runs there.
//
//   team      one execution of a parallel region (OpenMP 5.1, section 2.6)
//   place     a thread in a team, by its number; it has the implicit task and the thread's position in worksharing
//             constructs
//   task      what runs on the place now: the implicit task, or an explicit one (task.hpp)
//
// The strand that a thread runs points to its place (strand/strand.hpp). A worker's place exists as long as its team
// runs a region; the initial place of a thread that is in no region exists until the thread ends. The places of a team
// are an array of the team, and not in the frames of the threads: while a thread waits at the end of a region it still
// runs tasks, which use its place.
//
// Only the thread itself uses its place; others read `number`, `size` and the implicit task's environment of places in
// their own team. The members `deferred` and `handed` have contracts of their own.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/frontends/openmp/core/iterations/loop_shares.hpp>
#include <teff/frontends/openmp/core/teams/clauses.hpp>
#include <teff/frontends/openmp/core/teams/handed_tasks.hpp>
#include <teff/frontends/openmp/core/teams/loop_position.hpp>
#include <teff/frontends/openmp/core/teams/task.hpp>
#include <teff/strand/running_strand.hpp>

#include <cstdint>

namespace teff {

class task_pools;

}  // namespace teff

namespace teff::openmp {

struct shared_construct;
struct team;

struct alignas(false_sharing_range) place {
    place() noexcept = default;
    place(const place&) = delete;
    place& operator=(const place&) = delete;

    team* in = nullptr;
    std::uint32_t number = 0;  // 0 to size - 1
    std::uint32_t size = 1;    // of the team in this region
    bool may_cancel = false;   // cancel-var, which is constant
    task* current = nullptr;   // what the thread runs; never nullptr in a region
    task implicit;
    family deferred;           // of the implicit task: its deferred children
    cpu_position cpus;               // where it is bound, and where its inner regions may be
    std::int32_t global_number = 0;  // of the thread in the process: the `gtid` of Clang's calls

    // position in the team's worksharing constructs
    unsigned barriers = 0;  // that the thread has passed in this region; counted if may_cancel (cancellation.hpp)
    unsigned singles = 0;  // single.hpp
    loop_position work;      // loop.hpp
    bool holds_combination_lock = false;  // reduction.hpp
    unsigned shared_reductions = 0;        // begun constructs with task reductions (task_reduction.hpp)
    shared_construct* shared = nullptr;    // the innermost one that has not ended

    // clauses that Clang's calls push, for the construct that begins next
    region_clauses next_region;
    teams_clauses next_teams;

    task_pools* pools = nullptr;  // memory for tasks; nullptr: not asked for yet
    team* kept = nullptr;         // an inner team that has ended, for the next region of this place

    // in a team of one thread
    count_latch unfinished;  // all deferred tasks, also those that have outlived the task that made them
    handed_tasks handed;     // any thread

    loop_shares shares;  // the thread's chunks of loops; any thread
};

// The place of the calling thread; nullptr: a thread outside of all regions, which has none yet.
inline place* find_place() noexcept {
    const strand* const running = running_thread.running;
    return running == nullptr ? nullptr : running->place;
}
// The same; makes the initial place of a thread that has none.
[[gnu::noinline]] place& make_initial_place() noexcept;
inline place& this_place() noexcept {
    place* const found = find_place();
    return found == nullptr ? make_initial_place() : *found;
}

}  // namespace teff::openmp
