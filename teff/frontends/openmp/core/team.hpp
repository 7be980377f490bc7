// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A team: what the threads of a parallel region share.
//
//   written between regions by the thread that opens them     size and levels, the places
//   written by any member                                     the positions in worksharing constructs, the slots below
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/cache_line.hpp>
#include <teff/frontends/openmp/core/place.hpp>
#include <teff/frontends/openmp/core/task_reduction.hpp>

namespace teff::openmp {

// How many worksharing loops of a region may be unfinished at once: a thread that is ahead of others by more waits.
inline constexpr unsigned loops_at_once = 8;

struct loop_ring;
struct running_region;

// The place of an initial team in a league (teams.hpp). It holds for the regions inside, too.
struct place_in_league {
    unsigned number = 0;  // 0 to size - 1
    unsigned size = 1;    // teams
};

struct team {
    team() noexcept = default;
    team(const team&) = delete;
    team& operator=(const team&) = delete;

    place* opener = nullptr;   // of the thread that opened the region, in the outer team; nullptr: an initial team
    place* places = nullptr;   // `capacity` of them
    unsigned capacity = 0;
    unsigned size = 1;          // of the next or last region; during one, each place knows how many threads there are
    unsigned level = 0;         // of enclosing parallel regions, this one included
    unsigned active_level = 0;  // of those with more than one thread
    place_in_league league;
    icvs environment;           // of its implicit tasks
    binding bind = binding::none;  // how its threads are bound; none: not at all
    bool displays_affinity = false;
    std::uint64_t first_loop = 0;  // the number of its next shared loop
    running_region* begun = nullptr;  // of a region in two halves (begin_region)

    // The number of `single` constructs that a thread has begun (single.hpp).
    alignas(false_sharing_range) atomic<unsigned> singles{0};
    // What the thread in a `single` has for the others (copyprivate).
    atomic<void*> broadcast{nullptr};
    atomic<loop_ring*> loops{nullptr};  // made by the first loop that needs it (loop.hpp)
    shared_reductions reductions;
    // cancellation.hpp
    atomic<bool> is_cancelled{false};
    atomic<unsigned> cancelled_construct{0};  // 1 + the number of barriers before it; 0: none
};

}  // namespace teff::openmp
