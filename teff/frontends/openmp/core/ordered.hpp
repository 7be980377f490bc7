// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ordered regions without dependences (OpenMP 5.1, section 2.19.9). The turn goes from chunk to chunk: it is the number
// of the first iteration of the chunk whose thread may run ordered regions. Within a chunk one thread runs the
// iterations in their order.
//
// A thread passes the turn on at the end of its chunk, since an iteration need not execute the region. It does so
// earlier, at the end of the region, when it has executed as many regions as the chunk has iterations: an iteration
// executes at most one. So with chunks of one iteration, what follows the region in the body overlaps.
#pragma once

#include <teff/frontends/openmp/core/loop.hpp>

namespace teff::openmp {

// Waits until the turn has come to the thread's present chunk.
inline void begin_ordered(place& here) noexcept {
    const worksharing& mine = here.work;
    if (mine.is_ordered && !mine.current.is_empty())
        mine.shared->turn.await(mine.current.begin, here.size, here.in->is_cancelled);
}

// Waits for the turn and passes it on, if the thread still has it to pass.
inline void pass_turn(place& here) noexcept {
    worksharing& mine = here.work;
    if (mine.current.is_empty())
        return;
    begin_ordered(here);
    mine.shared->turn.advance_to(mine.current.end);
    mine.current = {};
}

inline void end_ordered(place& here) noexcept {
    worksharing& mine = here.work;
    if (mine.is_ordered && ++mine.ordered_ends == mine.current.end - mine.current.begin)
        pass_turn(here);
}

}  // namespace teff::openmp
