// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the model program runs: litmus tests and seeded bugs for the checker itself, and the scenarios of each
// structure.
#pragma once

#include <model/check.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace scenarios {

// A litmus test: exactly these outcomes (model::outcome) are what the C++ standard allows.
struct litmus {
    const char* name;
    void (*body)();
    std::vector<std::uint64_t> allowed;
};
std::span<const litmus> litmus_tests();

// A structure that is known to be wrong, and a part of the message by which the checker has to find it. Some need weak
// memory to fail.
struct seeded_bug {
    const char* name;
    void (*body)();
    const char* found_as;
    bool weak;
};
std::span<const seeded_bug> seeded_bugs();

// One function per file of scenarios.
std::span<const model::scenario> reclaimer_scenarios();
std::span<const model::scenario> block_queue_scenarios();
std::span<const model::scenario> bqueue_scenarios();
std::span<const model::scenario> split_deque_scenarios();
std::span<const model::scenario> combining_ring_scenarios();
std::span<const model::scenario> nemesis_queue_scenarios();
std::span<const model::scenario> fifo_queue_scenarios();
std::span<const model::scenario> locked_deque_scenarios();
std::span<const model::scenario> locked_lifo_scenarios();
std::span<const model::scenario> priority_lanes_scenarios();
std::span<const model::scenario> parking_scenarios();
std::span<const model::scenario> count_latch_scenarios();
std::span<const model::scenario> consensus_scenarios();
std::span<const model::scenario> demand_scenarios();
std::span<const model::scenario> xqueue_scenarios();
std::span<const model::scenario> steal_request_scenarios();
std::span<const model::scenario> membership_scenarios();
std::span<const model::scenario> xqueue_scheduler_scenarios();
std::span<const model::scenario> descriptor_pool_scenarios();
std::span<const model::scenario> task_scheduler_scenarios();
std::span<const model::scenario> region_scenarios();
std::span<const model::scenario> pool_scenarios();
std::span<const model::scenario> fork_join_scenarios();
std::span<const model::scenario> task_group_scenarios();

// A structure, and the sources whose memory orders its scenarios are to justify.
struct structure {
    const char* name;
    std::vector<const char*> sources;
};
const std::vector<structure>& structures();
const std::vector<model::scenario>& all_scenarios();
// Also a litmus test or a seeded bug, as of the structures `litmus` and `seeded`. nullptr if there is none.
const model::scenario* find_scenario(const std::string& structure, const std::string& name);

// Why a weakened order goes unnoticed: by source, weakening and a part of the line's text.
struct survivor {
    const char* source;
    const char* weakening;
    const char* line_part;
    const char* reason;
};
std::span<const survivor> known_survivors();

}  // namespace scenarios
