// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explores the executions of a scenario on the simulated network, in two ways:
//
//   every_state()   depth first, each state once: a state that was reached before is not left again. It is complete if
//                   it says so. It then also knows that from every state the end can be reached, which excludes
//                   deadlocks and states in which ranks only send messages to and fro.
//   random_walk()   one execution that follows from a seed, which also draws how likely each rank and each message is
//                   delayed. After many moves it becomes fair, and must then end.
#pragma once

#include "network.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace simulated {

struct finding {
    std::string violation;     // empty: none
    std::vector<move> moves;   // that lead to it
    std::size_t states = 0;    // explored; of a walk: moves
    bool is_complete = false;  // every state was explored
};

finding every_state(const scenario& what, std::size_t most_states);
finding random_walk(const scenario& what, std::uint64_t seed);

// The moves in words.
std::string told(const scenario& what, const std::vector<move>& moves);

}  // namespace simulated
