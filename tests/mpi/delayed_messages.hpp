// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Delays of MPI's operations, at random but by a seed, and a check of what MPI asks of its users.
//
// The source beside it defines those functions of MPI that the library calls, and passes them on by their other names
// (PMPI_...). In between it postpones and reorders what MPI leaves open:
//
//   a message to a rank                leaves later, but never before an earlier one to that rank
//   a message from a rank              is hidden for a while; so messages of several ranks change places
//   a collective operation             begins later, but in the order of the calls
//   any operation                      is reported as complete later
//
// Messages of one rank to another keep their order, since a probe for any tag must see them in it. Time is the number
// of calls, so the decisions of a rank follow from its seed and from what it calls.
//
// When a communicator made by MPI_Comm_idup is freed, all operations on it must be complete, and every message must
// have been received: the ranks compare how many they have sent with how many have arrived.
//
// Thread safety: one thread, as at the level MPI_THREAD_FUNNELED.
#pragma once

#include <cstdint>
#include <string>

namespace delayed_messages {

// Draws how long things take from now on. Every rank has its own seed.
void begin(std::uint64_t seed);

// The first rule that was broken on this rank since begin(); empty: none.
const std::string& complaint();

// How many messages were held back since the start of the process.
std::uint64_t postponed();

// From now on every communicator gets, just before it is freed, one message of this rank that no rank receives.
void leave_a_message_over();

}  // namespace delayed_messages
