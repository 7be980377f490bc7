// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The structures that have scenarios, with the sources that belong to each; and the search for a scenario by its name.
#include "scenarios.hpp"

#include <set>
#include <stdexcept>
#include <utility>

namespace scenarios {

const std::vector<structure>& structures() {
    static const std::vector<structure> all = {
        {"epoch", {"teff/reclaim/epoch"}},
        {"arena", {"teff/reclaim/arena"}},
        {"hazard", {"teff/reclaim/hazard"}},
        {"chosen_epoch", {"teff/reclaim/chosen"}},
        {"chosen_hazard", {}},
        {"block_queue_epoch", {"teff/queue/block_queue", "teff/queue/queue_block"}},
        {"block_queue_arena", {}},
        {"block_queue_hazard", {}},
        {"block_queue_gc", {"teff/reclaim/gc"}},
        {"bqueue", {"teff/queue/bqueue"}},
        {"shared_part", {"teff/queue/shared_part"}},
        {"split_deque", {"teff/queue/split_deque"}},
        {"combining_ring", {"teff/queue/combining_ring", "teff/queue/cc_synch"}},
        {"nemesis_queue", {"teff/queue/nemesis_queue"}},
        {"fifo_queue", {"teff/queue/fifo_queue"}},
        {"locked_deque", {"teff/queue/locked_deque"}},
        {"priority_lanes", {"teff/queue/priority_lanes"}},
        {"descriptor_pool", {"teff/task/"}},
        {"mutex", {"teff/base/mutex"}},
        {"spin_lock", {"teff/base/spin_lock"}},
        {"event_count", {"teff/scheduler/event_count"}},
        {"idle_tracker", {"teff/scheduler/idle_tracker", "teff/scheduler/short_bursts"}},
        {"consensus", {"teff/scheduler/consensus"}},
        {"blaze", {"teff/scheduler/blaze", "teff/scheduler/stop_state"}},
        {"demand", {"teff/scheduler/demand", "teff/scheduler/slots"}},
        {"xqueue", {"teff/queue/xqueue"}},
        {"steal_request", {"teff/scheduler/steal_request", "teff/queue/hand_over_cell"}},
        {"termination_detector", {"teff/scheduler/termination_detector"}},
        {"consumer_token", {"teff/scheduler/consumer_token", "teff/scheduler/member_registry"}},
        {"xqueue_scheduler",
         {"teff/scheduler/xqueue", "teff/scheduler/dealing_team", "teff/scheduler/work_advertisement",
          "teff/scheduler/last_look"}},
        {"task_scheduler",
         {"teff/scheduler/task_scheduler", "teff/scheduler/ompi", "teff/scheduler/fifo", "teff/scheduler/sherwood",
          "teff/scheduler/nemesis", "teff/scheduler/distrib", "teff/scheduler/shepherds"}},
        {"sleeping_workers", {"teff/machine/sleeping_workers"}},
        {"count_latch", {"teff/runtime/count_latch"}},
        {"bound_tasks", {"teff/runtime/bound_tasks"}},
        {"bound_tasks_in_a_team", {"teff/runtime/make_task_team"}},
        {"combining_tree", {"teff/runtime/combining_tree"}},
        {"dock_and_barrier", {"teff/runtime/region_barrier", "teff/runtime/cancellable_barrier", "teff/runtime/dock"}},
        {"region", {"teff/runtime/task_team"}},
        {"pool",
         {"teff/runtime/pool", "teff/runtime/team", "teff/runtime/tree_combination", "teff/runtime/region",
          "teff/runtime/counters"}},
        {"fork_join",
         {"teff/frontends/fork_join/job", "teff/frontends/fork_join/child", "teff/frontends/fork_join/fork",
          "teff/frontends/fork_join/sharing", "teff/frontends/fork_join/group",
          "teff/runtime/member_scope"}},
        {"copies", {"teff/frontends/fork_join/copies", "teff/frontends/fork_join/views"}},
        {"guests", {"teff/runtime/guests", "teff/frontends/fork_join/arena_"}},
        {"fiber_parking", {"teff/frontends/threads/parking"}},
        {"fibers", {"teff/frontends/threads/fiber_state", "teff/frontends/threads/fiber_visit"}},
        {"task_wait", {"teff/frontends/threads/task_wait", "teff/frontends/threads/fiber_member"}},
        {"sync_var", {"teff/frontends/threads/sync_var"}},
        {"fiber_mutex", {"teff/frontends/threads/fiber_mutex"}},
        {"word_shard", {"teff/frontends/threads/word_shard"}},
        {"sleepers", {"teff/frontends/threads/sleepers"}},
        {"stillness", {"teff/runtime/stillness"}},
        {"channel", {"teff/frontends/threads/channel"}},
        {"sync_block", {"teff/frontends/threads/sync_block"}},
        {"algorithms", {"teff/algorithms/", "teff/coroutine"}},
        {"graph", {"teff/depend/edge_tracker", "teff/depend/tracked"}},
        {"embedded_graph", {}},
        {"hypergraph", {"teff/depend/generation_tracker"}},
        {"embedded_hypergraph", {}},
        {"list", {"teff/depend/list"}},
        {"tickets", {"teff/depend/tickets", "teff/depend/waiting_pool", "teff/depend/search_request"}},
        {"exclusion", {"teff/depend/exclusion"}},
        {"dataflow", {"teff/dataflow/graph", "teff/dataflow/procedure", "teff/dataflow/version"}},
        {"openmp_tasks", {"teff/frontends/openmp/core/task"}},
        {"openmp_events",
         {"teff/frontends/openmp/core/completion_event", "teff/frontends/openmp/core/handed_tasks",
          "teff/frontends/openmp/core/submit"}},
        {"openmp_dependences", {"teff/frontends/openmp/core/dependence"}},
        {"openmp_loops",
         {"teff/frontends/openmp/core/loop", "teff/frontends/openmp/core/progress",
          "teff/frontends/openmp/core/waiters", "teff/frontends/openmp/core/ordered",
          "teff/frontends/openmp/core/doacross", "teff/frontends/openmp/core/single"}},
        {"openmp_locks", {"teff/frontends/openmp/core/lock"}},
    };
    return all;
}

const std::vector<model::scenario>& all_scenarios() {
    static const std::vector<model::scenario> all = [] {
        std::vector<model::scenario> made;
        for (const auto part : {
                 reclaimer_scenarios(),
                 block_queue_scenarios(),
                 bqueue_scenarios(),
                 split_deque_scenarios(),
                 combining_ring_scenarios(),
                 nemesis_queue_scenarios(),
                 fifo_queue_scenarios(),
                 locked_deque_scenarios(),
                 priority_lanes_scenarios(),
                 descriptor_pool_scenarios(),
                 parking_scenarios(),
                 sleeping_workers_scenarios(),
                 bound_tasks_scenarios(),
                 count_latch_scenarios(),
                 combining_tree_scenarios(),
                 consensus_scenarios(),
                 demand_scenarios(),
                 xqueue_scenarios(),
                 steal_request_scenarios(),
                 membership_scenarios(),
                 xqueue_scheduler_scenarios(),
                 task_scheduler_scenarios(),
                 dock_and_barrier_scenarios(),
                 region_scenarios(),
                 pool_scenarios(),
                 fork_join_scenarios(),
                 task_group_scenarios(),
                 guest_scenarios(),
                 fiber_scenarios(),
                 sync_var_scenarios(),
                 task_wait_scenarios(),
                 word_shard_scenarios(),
                 sleepers_scenarios(),
                 stillness_scenarios(),
                 channel_scenarios(),
                 algorithm_scenarios(),
                 tracker_scenarios(),
                 dataflow_scenarios(),
                 openmp_task_scenarios(),
                 openmp_dependence_scenarios(),
                 openmp_loop_scenarios(),
                 openmp_lock_scenarios(),
             })
            made.insert(made.end(), part.begin(), part.end());
        // A schedule to replay names its scenario.
        std::set<std::pair<std::string, std::string>> names;
        for (const model::scenario& each : made) {
            if (!names.emplace(each.structure, each.name).second)
                throw std::logic_error(std::string("two scenarios have the name ") + each.structure + "/" + each.name);
        }
        return made;
    }();
    return all;
}

const model::scenario* find_scenario(const std::string& structure, const std::string& name) {
    static const std::vector<model::scenario> all = [] {
        std::vector<model::scenario> made = all_scenarios();
        for (const litmus& each : litmus_tests())
            made.push_back({"litmus", each.name, each.body});
        for (const seeded_bug& each : seeded_bugs())
            made.push_back({"seeded", each.name, each.body});
        return made;
    }();
    for (const model::scenario& each : all) {
        if (each.structure == structure && each.name == name)
            return &each;
    }
    return nullptr;
}

}  // namespace scenarios
