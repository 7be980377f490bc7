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
        {"block_queue_epoch", {"teff/queue/block_queue"}},
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
        {"mailbox", {"teff/queue/mailbox", "teff/frontends/fork_join/crew"}},
        {"descriptor_pool", {"teff/task/"}},
        {"mutex", {"teff/base/locks"}},
        {"spin_lock", {}},
        {"event_count", {"teff/scheduler/event_count"}},
        {"idle_tracker", {"teff/scheduler/idle_tracker", "teff/scheduler/short_bursts"}},
        {"consensus", {"teff/scheduler/consensus"}},
        {"blaze", {"teff/scheduler/blaze", "teff/scheduler/stop_state"}},
        {"demand", {"teff/scheduler/demand", "teff/scheduler/slots"}},
        {"xqueue", {"teff/queue/xqueue"}},
        {"steal_request", {"teff/scheduler/steal_request", "teff/queue/hand_over_cell"}},
        {"termination_detector", {"teff/scheduler/termination_detector"}},
        {"consumer_token", {"teff/scheduler/member_registry"}},
        {"late_items", {"teff/scheduler/late_items"}},
        {"xqueue_scheduler", {"teff/scheduler/xqueue", "teff/scheduler/dealing_team"}},
        {"task_scheduler",
         {"teff/scheduler/task_scheduler", "teff/scheduler/ompi", "teff/scheduler/fifo", "teff/scheduler/sherwood",
          "teff/scheduler/nemesis", "teff/scheduler/distrib", "teff/scheduler/shepherds"}},
        {"sleeping_workers", {"teff/machine/sleeping_workers"}},
        {"count_latch", {"teff/team/count_latch"}},
        {"bound_tasks", {"teff/team/bound_tasks"}},
        {"bound_tasks_in_a_team", {"teff/team/make_task_team"}},
        {"combining_tree", {"teff/team/tree_combination"}},
        {"dock_and_barrier", {"teff/team/region_barriers", "teff/team/dock"}},
        {"region", {"teff/team/task_team"}},
        {"pool", {"teff/pool/pool", "teff/team/team", "teff/team/region", "teff/observe/counters"}},
        {"fork_join",
         {"teff/frontends/fork_join/job", "teff/frontends/fork_join/child", "teff/frontends/fork_join/fork",
          "teff/frontends/fork_join/sharing", "teff/frontends/fork_join/group",
          "teff/team/session"}},
        {"copies", {"teff/frontends/fork_join/copies", "teff/frontends/fork_join/views"}},
        {"guests", {"teff/team/guests", "teff/frontends/fork_join/arena_"}},
        {"fiber_parking", {"teff/frontends/threads/parking"}},
        {"fibers", {"teff/frontends/threads/fiber_state", "teff/frontends/threads/fiber_visit"}},
        {"task_wait", {"teff/frontends/threads/fiber_member"}},
        {"sync_var", {"teff/frontends/threads/sync_var"}},
        {"fiber_mutex", {"teff/frontends/threads/fiber_mutex"}},
        {"word_shard", {"teff/frontends/threads/word_shard"}},
        {"sleepers", {"teff/frontends/threads/sleepers"}},
        {"quiescence", {"teff/observe/quiescence"}},
        {"channel", {"teff/frontends/threads/channel"}},
        {"sync_block", {"teff/frontends/threads/sync_block"}},
        {"algorithms", {"teff/algorithms/", "teff/coroutine"}},
        {"graph", {"teff/depend/edge_tracker", "teff/depend/tracked"}},
        {"embedded_graph", {}},
        {"hypergraph", {"teff/depend/generation_tracker"}},
        {"embedded_hypergraph", {}},
        {"list", {"teff/depend/list"}},
        {"tickets", {"teff/depend/tickets", "teff/depend/waiting_pool", "teff/depend/tracker."}},
        {"exclusion", {"teff/depend/exclusion"}},
        {"dataflow", {"teff/dataflow/graph", "teff/dataflow/procedure", "teff/dataflow/version"}},
        {"openmp_tasks",
         {"teff/frontends/openmp/core/teams/task", "teff/frontends/openmp/core/tasks/task_",
          "teff/frontends/openmp/core/teams/spare_exchange", "teff/frontends/openmp/core/tasks/run",
          "teff/frontends/openmp/core/tasks/wait"}},
        {"openmp_events",
         {"teff/frontends/openmp/core/tasks/completion_event", "teff/frontends/openmp/core/tasks/submit",
          "teff/frontends/openmp/core/teams/handed_tasks"}},
        {"openmp_dependences", {"teff/frontends/openmp/core/tasks/dependence"}},
        {"openmp_loops",
         {"teff/frontends/openmp/core/worksharing/", "teff/frontends/openmp/core/iterations/loop_shares",
          "teff/frontends/openmp/core/synchronization/waiters"}},
        {"openmp_locks", {"teff/frontends/openmp/core/synchronization/lock"}},
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
                 mailbox_scenarios(),
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
                 late_items_scenarios(),
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
                 quiescence_scenarios(),
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
