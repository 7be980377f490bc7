// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Balances the work of all ranks until it has ended: what the communicating thread of a rank does during a call.
//
// A rank that is dry asks some random ranks, one after the other, and then its lifelines (lifelines.hpp), which
// remember it. A rank with work answers by items. The thread looks at its messages, does what they ask for, and pauses,
// up to a fifth of a millisecond (half of one beside a single worker), as long as nothing happens; a worker that finds
// the rank dry wakes it.
//
// A rank that is halted tells its neighbours, and these tell theirs. It drops items that still arrive and asks no rank,
// so all ranks become passive, and the end of work is found as usual. These messages are not counted, since a passive
// rank may send them. After the end every rank sends a last message to each neighbour, and then none is on its way.
//
// A value that the ranks share (shared_best.hpp) is in front of the bytes of every message but `halt` and `farewell`,
// and in messages of its own, `news`, to the neighbours. These are not counted either: they cause no message but news.
#pragma once

#include <teff/mpi/rank_work.hpp>
#include <teff/mpi/shared_best.hpp>

#include <mpi.h>

namespace teff::mpi {

// How ranks share items; the public options of these names.
struct sharing {
    unsigned chunk;
    unsigned random_victims;
    shared_value* best = nullptr;  // all ranks have one, of the same size, or none has
    unsigned workers = 1;          // of this rank
};

// Returns when no rank has an item left. Collective over `ranks`, whose messages must all be of this call. Throws
// std::runtime_error (an MPI function has failed) and std::bad_alloc; the other ranks then wait for ever.
void balance(MPI_Comm ranks, const sharing& how, rank_work& work);

}  // namespace teff::mpi
