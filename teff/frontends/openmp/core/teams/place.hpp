// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's place in OpenMP's model: its place in a team, and the task that it runs there.
//
//   team      one execution of a parallel region (OpenMP 5.1, section 2.6)
//   place     a thread in a team, by its number; it has the implicit task and the thread's position in worksharing
//             constructs
//   task      the task that runs on the place now: the implicit task, or an explicit one (task.hpp)
//
// Its parts come first: the clauses that Clang's calls push for the next construct, and the position in loops.
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
#include <teff/frontends/openmp/core/environment/icvs.hpp>
#include <teff/frontends/openmp/core/iterations/iterations.hpp>
#include <teff/frontends/openmp/core/iterations/loop_shares.hpp>
#include <teff/frontends/openmp/core/teams/handed_tasks.hpp>
#include <teff/frontends/openmp/core/teams/task.hpp>
#include <teff/strand/running_strand.hpp>

#include <cstdint>

namespace teff::openmp {

// The clauses of a parallel region.
struct region_clauses {
    unsigned threads = 0;    // num_threads; 0: none
    bool is_serial = false;  // if(false)
    bool has_bind = false;
    binding bind = binding::none;
    // num_threads for the nested regions, one number for each level. The array must live as long as the region.
    const unsigned* threads_below = nullptr;
    unsigned short threads_below_count = 0;
    // num_threads(strict: ...): the effect if the region gets another number of threads. message: nullptr: none.
    enum class strictness : unsigned char { none, warns, ends_the_program } strict = strictness::none;
    const char* message = nullptr;
};

// The clauses of a teams construct. 0: none was given.
struct teams_clauses {
    unsigned least = 0;  // num_teams: the lower bound
    unsigned most = 0;   // and the upper one
    unsigned thread_limit = 0;
};

class doacross;
class loop_share;
struct shared_loop;

// The source of the next chunk of a loop.
enum class chunk_source : unsigned char {
    shares,         // one chunk of the thread's share, then of those of others (dynamic, in any order)
    rounds,         // as shares, but several chunks, fewer towards the end (guided, in any order)
    counter,        // one chunk of the loop's counter (dynamic)
    counter_slow,   // the same, in a loop that needs more than the counter at each chunk (ordered)
    shrinking,      // several chunks of the loop's counter, fewer towards the end (guided)
    own_chunks,     // every size-th chunk, where size is that of the team (static with a chunk)
    own_block,      // one contiguous part (static)
    none,           // the own part has been handed out
};

// A thread's own position in the worksharing constructs of its team. Only the thread itself uses it. loop.hpp has the
// data that the threads of a loop share.
struct loop_position {
    std::uint64_t shared_loops = 0;  // begun by the thread; the same sequence on all threads of a team
    shared_loop* shared = nullptr;   // nullptr: the loop needs none, or the thread has left it
    doacross* crossing = nullptr;    // nullptr: not a doacross loop (doacross.hpp), or the thread is alone
    bool is_early = false;           // `shared` belongs to the loop that begins next
    bool needs_reset = true;         // `shared` must be reset before it is used again
    std::uint64_t finished_loops = 0;  // all threads of the team have left the loops before this one

    // the present loop
    iteration_space space;
    std::uint64_t end_value = 0;  // for the entry points: the end as a value of the loop variable
    std::uint64_t chunk = 1;
    std::uint64_t chunks = 0;
    std::uint64_t own_next = 0;  // own_chunks: the index of the next chunk
    // of a loop with shares
    loop_share* share = nullptr;  // the share from which the thread takes chunks
    guided_rounds rounds;
    std::uint64_t share_begin = 0;  // its first chunk; of a loop with rounds: the thread that it belongs to
    std::uint64_t share_size = 0;   // its chunks or pieces
    std::uint32_t share_loop = 0;  // the loop's number
    unsigned shares_used_up = 0;   // as far as the thread knows
    chunk_source source = chunk_source::none;
    bool is_ordered = false;
    iteration_range current;         // ordered: the chunk that the thread runs
    std::uint64_t ordered_ends = 0;  // ordered regions that the thread has ended in this chunk
};

}  // namespace teff::openmp

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
    task* current = nullptr;   // the task that the thread runs; never nullptr in a region
    task implicit;
    family deferred;           // of the implicit task: its deferred children
    cpu_position cpus;               // the place to which it is bound, and the places for its inner regions
    std::int32_t global_number = 0;  // of the thread in the process: the `gtid` of Clang's calls

    // position in the team's worksharing constructs
    unsigned barriers = 0;  // passed by the thread in this region; counted if may_cancel (cancellation.hpp)
    unsigned singles = 0;  // begun by the thread (begin_single)
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

// The place of the calling thread; nullptr: the thread is outside all regions and has no initial place yet.
inline place* find_place() noexcept {
    const strand* const running = running_thread.running;
    return running == nullptr ? nullptr : running->place;
}
// The same; makes the initial place of a thread without a place.
[[gnu::noinline]] place& make_initial_place() noexcept;
inline place& this_place() noexcept {
    place* const found = find_place();
    return found == nullptr ? make_initial_place() : *found;
}

// Numbers of 31 bits, from 1 to owned_word::largest_owner, that identify the owner of a nestable lock (lock.hpp).
//
// A task gets its number when it first asks for one, and keeps it in its record, so that tasks without nestable locks
// pay nothing. A thread takes numbers from the process in blocks. After about 2^31 numbers they repeat: then a task
// that holds a lock could be mistaken for another task, if that many tasks have used nestable locks since it began.
//
// Rejected: the address of the record, since 31 bits of an address identify nothing; reusing the number of a task that
// has ended, since each end of a task would then have to check for one.
[[gnu::noinline]] std::uint32_t new_task_number() noexcept;

// The number of the task that the calling thread runs.
inline std::uint32_t current_task_number() noexcept {
    task& current = *this_place().current;
    if (current.number == 0) [[unlikely]]
        current.number = new_task_number();
    return current.number;
}

// The number of the calling thread, which no other living thread has. It may be equal to the number of a task.
inline std::uint32_t current_thread_number() noexcept {
    return static_cast<std::uint32_t>(this_place().global_number) + 1;
}

}  // namespace teff::openmp
