// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contents of the model program: litmus tests and seeded bugs, which check the checker itself, and the scenarios of
// each structure.
#pragma once

#include <model/check.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace scenarios {

// A litmus test. The checker must find exactly the outcomes (model::outcome) in `allowed`: those that the C++ standard
// allows.
struct litmus {
    const char* name;
    void (*body)();
    std::vector<std::uint64_t> allowed;
};
std::span<const litmus> litmus_tests();

// A structure with a known bug. found_as: a part of the checker's report; nullptr: the checker must find no bug. weak:
// whether weak memory is explored; some bugs fail only there.
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
std::span<const model::scenario> priority_lanes_scenarios();
std::span<const model::scenario> mailbox_scenarios();
std::span<const model::scenario> parking_scenarios();
std::span<const model::scenario> sleeping_workers_scenarios();
std::span<const model::scenario> count_latch_scenarios();
std::span<const model::scenario> bound_tasks_scenarios();
std::span<const model::scenario> combining_tree_scenarios();
std::span<const model::scenario> consensus_scenarios();
std::span<const model::scenario> demand_scenarios();
std::span<const model::scenario> xqueue_scenarios();
std::span<const model::scenario> steal_request_scenarios();
std::span<const model::scenario> membership_scenarios();
std::span<const model::scenario> late_items_scenarios();
std::span<const model::scenario> xqueue_scheduler_scenarios();
std::span<const model::scenario> descriptor_pool_scenarios();
std::span<const model::scenario> task_scheduler_scenarios();
std::span<const model::scenario> dock_and_barrier_scenarios();
std::span<const model::scenario> region_scenarios();
std::span<const model::scenario> pool_scenarios();
std::span<const model::scenario> fork_join_scenarios();
std::span<const model::scenario> task_group_scenarios();
std::span<const model::scenario> guest_scenarios();
std::span<const model::scenario> fiber_scenarios();
std::span<const model::scenario> sync_var_scenarios();
std::span<const model::scenario> task_wait_scenarios();
std::span<const model::scenario> word_shard_scenarios();
std::span<const model::scenario> sleepers_scenarios();
std::span<const model::scenario> quiescence_scenarios();
std::span<const model::scenario> channel_scenarios();
std::span<const model::scenario> algorithm_scenarios();
std::span<const model::scenario> tracker_scenarios();
std::span<const model::scenario> dataflow_scenarios();
std::span<const model::scenario> openmp_task_scenarios();
std::span<const model::scenario> openmp_dependence_scenarios();
std::span<const model::scenario> openmp_loop_scenarios();
std::span<const model::scenario> openmp_lock_scenarios();

// For scenarios with teams. Returns `all` after the objects that a process makes once (options, topology, pool) exist.
// They must exist before the first execution, since the checker restores static variables after each one.
inline std::span<const model::scenario> in_prepared_process(std::span<const model::scenario> all) {
    static const bool is_prepared = !pool_scenarios().empty();
    return is_prepared ? all : std::span<const model::scenario>();
}

// A structure, and the sources whose memory orders and operations its scenarios must justify.
struct structure {
    const char* name;
    std::vector<const char*> sources;
};
const std::vector<structure>& structures();
const std::vector<model::scenario>& all_scenarios();
// Also finds litmus tests and seeded bugs, under the structure names `litmus` and `seeded`. Returns nullptr if there is
// no such scenario.
const model::scenario* find_scenario(const std::string& structure, const std::string& name);

// A mutant with which no scenario fails, and the reason. It is identified by its source, its change and a part of the
// line's text.
struct survivor {
    const char* source;
    const char* change;
    const char* line_part;
    const char* reason;
};
std::span<const survivor> known_survivors();

}  // namespace scenarios
