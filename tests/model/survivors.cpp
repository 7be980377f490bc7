// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mutants that no scenario kills, each with its reason.
#include "scenarios.hpp"

namespace scenarios {

std::span<const survivor> known_survivors() {
    static constexpr survivor all[] = {
        {"teff/reclaim/epoch.hpp", "drop_acquire", "mine.tag[i] =",
         "What is tagged is disposed by a later collect(), whose fence makes an acquire of this load, or at "
         "quiescence. ThreadSanitizer does not know what fences order, so the acquire stays; x86-64 has it for "
         "nothing."},
        {"teff/pool/pool.cpp", "drop_release", "started_.store(started_",
         "The new workers belong to a region until it ends. Then each counts as idle anew, and asks for work itself. A "
         "thread that misses their start keeps private only what would have waited for the region's end, too."},
        {"teff/pool/pool.cpp", "split_modify", "warned_.exchange",
         "Two threads that find no room for a worker might both print the warning. It decides nothing else."},
        {"teff/scheduler/event_count.hpp", "split_modify", "event_.fetch_add",
         "Two wake-ups may count as one. A thread that takes its ticket between them looks afterwards, and finds what "
         "both were for: each published it before a fence that comes before the thread's own."},
        {"teff/scheduler/dealing_team.hpp", "drop_store", "at_ns_.store",
         "Members seem never to look into their queues, so their items are taken by others at once. Who runs an item "
         "is a matter of speed."},
        {"teff/scheduler/dealing_team.hpp", "drop_store", "set_.store(0",
         "A team whose tasks are all under way still seems to want workers. They come, find nothing and leave, until "
         "the team ends: a matter of speed."},
        {"teff/queue/cc_synch.hpp", "drop_store", "place->next_.store",
         "The combiner finds no request behind its own and hands the role over. So each participant serves its own "
         "request: slower, but right. (A look that misses the store is allowed, too.)"},
        {"teff/pool/pool.cpp", "drop_store", "open_sources_.load(std::memory_order_relaxed) - 1",
         "A searcher of a pool that seems to have an open source locks the mutex and finds none."},
        {"teff/frontends/fork_join/fork_join.cpp", "split_modify", "taken.state.fetch_or",
         "All that may be lost is the mark `cancelled`, which another thread sets after this thread has read the "
         "state. It is read nowhere after that."},
        {"teff/frontends/fork_join/group_state.hpp", "drop_store", "has_submitted_.store(true",
         "A task that is called at once and waits for its own group returns instead of ending the program with a "
         "message (tests/process/own_group_test.cpp). That is a mistake of the program, which no scenario makes."},
        {"teff/team/task_team_of.hpp", "drop_store", "over_.store(true",
         "Workers that search for work in a team without a caller leave it when they have found none for a while, also "
         "if they do not know that it is over. The end of the team waits for them."},
        {"teff/algorithms/pace.hpp", "drop_store", "chunk_.store",
         "Each piece finds its own number of iterations, whatever the pieces before it have found."},
        {"teff/algorithms/scans.hpp", "drop_store", "is_first_done.store",
         "A hint that adding up the second half is useless by now. Added up nevertheless, the sums are right."},
    };
    return all;
}

}  // namespace scenarios
