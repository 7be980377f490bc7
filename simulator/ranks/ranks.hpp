// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Simulates a reduction over tasks on many ranks (teff/mpi): UTS on up to thousands of machines, event by event.
//
// What is real: the tree (trees.hpp), whom a rank asks (teff/mpi/lifelines.hpp), and the decisions of the thread that
// communicates, which follow teff/mpi/balance.cpp and rank_team.hpp line by line: when a rank asks, what it gives, when
// it is passive, how long it pauses; the four counters of teff/mpi/ending.hpp.
//
// What is a model:
// - The network (network.hpp).
// - MPI's collective operations: a binomial tree of messages to rank 0 and back, where a rank passes a message on when
//   it next looks, as libraries do that have no thread of their own.
// - The workers of a rank. A node costs a time; a theft costs a time; a theft takes as many items as the scheduler's
//   would. A worker runs a subtree in one event as long as the rank has many times more work, so that the number of
//   events does not depend on the number of nodes; items inside of such a subtree cannot be taken meanwhile.
// - Sleeping: a sleep takes its time, what the system's timers add, and up to a tenth more, drawn by the seed.
//
// The same settings give the same result, to the picosecond.
#pragma once

#include <simulator/machine.hpp>
#include <simulator/ranks/network.hpp>
#include <simulator/ranks/trees.hpp>

#include <cstdint>
#include <vector>

namespace simulator {

struct ranks_settings {
    unsigned ranks = 2, workers = 24;
    bench::uts::tree tree;
    bool draws_subtrees = true;  // or makes each node
    network_costs network;
    // the options of the call
    unsigned chunk = 512, random_victims = 2;
    bool gives_alternate = true;  // every second one of the oldest items, as beside several workers
    // costs within a rank
    double node_ns = 20.7;       // a node of the tree, on a worker
    double steal_ns = 1000;      // a theft between two workers of a rank, or by the thread that communicates
    double item_ns = 15;         // to write an item into a message, or to read one
    double look_ns = 1000;       // one look at the messages, with the system calls around it
    double wake_ns = 5000;       // until a thread runs that is woken
    double timer_ns = 50'000;    // what the system adds to a sleep with a time limit
    double spin_ns = 50'000;     // how long a worker without work polls before it sleeps
    double longest_pause_ns = 200'000;  // between two looks at the messages, beside several workers
    std::uint64_t seed = 1;
};

struct ranks_result {
    static constexpr duration slot = 1'000'000'000;  // 1 ms

    std::uint64_t nodes = 0;
    std::uint64_t items_moved = 0;      // between ranks
    std::uint64_t messages = 0;         // of the protocol
    std::uint64_t work_messages = 0;    // those of them with items
    std::uint64_t collective_messages = 0;
    std::uint64_t bytes = 0;            // of both kinds
    std::uint64_t most_messages = 0;    // sent and received by one rank, of both kinds
    std::uint64_t rounds = 0;           // of the four counters
    std::uint64_t events = 0;           // of the simulation
    duration all_have_work = 0;         // when the last rank got its first item; 0: some rank never got one
    duration last_item = 0;             // when the last item had been run
    duration found = 0;                 // when the first rank knew that all work has ended
    std::vector<double> work_ns;        // how long workers ran items, by slots of time
    duration end = 0;                   // when the call had returned on all ranks
};

// Throws std::bad_alloc.
ranks_result simulate_ranks(const ranks_settings& settings);

}  // namespace simulator
