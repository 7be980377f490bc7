// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A team: the data that the threads of a parallel region share.
//
//   written between regions by the thread that opens them     size and levels, the places
//   written by any member                                     the positions in worksharing constructs, the slots below
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/locks.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/teams/place.hpp>
#include <teff/frontends/openmp/core/teams/spare_exchange.hpp>

namespace teff::openmp {

// The number of worksharing loops of a region that may be unfinished at once. A thread that is further ahead waits.
inline constexpr unsigned loops_at_once = 8;

struct loop_ring;
struct running_region;

// The place of an initial team in a league (regions/region.hpp). It holds for the regions inside, too.
struct place_in_league {
    unsigned number = 0;  // 0 to size - 1
    unsigned size = 1;    // teams
};

struct reduction_copies;

// A construct of the whole team with task reductions, whose threads share the copies (tasks/task_reduction.hpp).
struct shared_construct {
    unsigned number = 0;
    unsigned left = 0;                  // threads
    reduction_copies* copies = nullptr;
    shared_construct* around = nullptr;  // the enclosing one
    shared_construct* next = nullptr;    // of the same team
};
struct shared_reductions {
    shared_reductions() noexcept = default;
    ~shared_reductions() { forget(); }
    shared_reductions(const shared_reductions&) = delete;
    shared_reductions& operator=(const shared_reductions&) = delete;

    // Called between two regions: drops constructs that were cancelled.
    void forget() noexcept {
        while (shared_construct* const each = open) {
            open = each->next;
            destroy(each);
        }
    }

    mutex guard;
    shared_construct* open = nullptr;  // a list of the constructs that some thread has not left
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
    [[no_unique_address]] events::team_record tool;

    // The number of `single` constructs that a thread has begun (begin_single).
    alignas(false_sharing_range) atomic<unsigned> singles{0};
    // The data that the thread in a `single` passes to the others (copyprivate).
    atomic<void*> broadcast{nullptr};
    // An implicit task owns something, which the opener releases after the region. Otherwise the opener does not read
    // the places: that would fetch a cache line of each, one after the other, from the thread that writes it next.
    atomic<bool> leaves_something{false};
    atomic<loop_ring*> loops{nullptr};  // made by the first loop that needs it (loop.hpp)
    shared_reductions reductions;
    spare_exchange spares;
    // cancellation.hpp
    atomic<bool> is_cancelled{false};
    atomic<unsigned> cancelled_construct{0};  // 1 + the number of barriers before it; 0: none
};

// The place of `caller`, or of its ancestor, in the region at this level; nullptr if no region around it has this
// level. Each team has a pointer to the place of the thread that opened its region, so the ancestors of a place are a
// chain that ends at the initial place, at level 0. The place of an ancestor does not change until its region ends.
inline const place* ancestor_at(const place& caller, int level) noexcept {
    if (level < 0 || static_cast<unsigned>(level) > caller.in->level)
        return nullptr;
    const place* found = &caller;
    while (found->in->level > static_cast<unsigned>(level))
        found = found->in->opener;
    return found;
}

}  // namespace teff::openmp
