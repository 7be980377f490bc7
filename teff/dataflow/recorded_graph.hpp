// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The task graph of a run as it was recorded (recording.hpp), and what is computed from it: program order, versions,
// generations and dependences by the rules of depend/tracked.hpp, work, and the span with its critical path.
//
// The graph is the program's: it does not depend on the number of threads, the tracker, or which tasks were called at
// once. `out` makes a new version wherever the object could be renamed, even if it was idle and was not renamed.
//
// A task depends on all tasks of the generation before its own, for each of its objects. Dependences on older
// generations are left out, since they are implied. So a dependence is a pair of generations, and all dependences
// together take as much memory as the accesses do, however many pairs of tasks they order.
//
// Own time is the time that a task's function ran, without the tasks that ran on the same thread meanwhile and without
// sync(). Work is the sum of own times. The span is the time that the run would take on any number of threads, if
// nothing else cost time: a task begins when its spawner has reached the spawn and all tasks that it depends on have
// ended; a sync() ends with the last of the function's tasks. An outermost function takes no time itself. The mutual
// exclusion of commutative tasks does not count.
#pragma once

#include <teff/depend/tracked.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace teff::dataflow {

inline constexpr std::uint32_t no_task = std::numeric_limits<std::uint32_t>::max();

struct recorded_access {
    std::uint64_t object = 0;           // a number, or the address; different for objects that are not the same
    const void* operation = nullptr;    // of a reduction
    depend::access_kind kind = depend::access_kind::in;
    bool is_address = false;
    bool makes_version = false;         // `out` of an object that can be renamed
};

enum class task_outcome : unsigned char { waiting, running, ended, failed, not_called };

// A task, or an outermost function, which has no accesses and no time.
struct recorded_task {
    std::uint32_t spawner = no_task;    // the task or function that spawned it; no_task: it is an outermost function
    std::uint32_t follows = no_task;    // of an outermost function: the previous one on its thread
    std::uint32_t name = 0;
    std::uint32_t thread = 0;
    std::uint32_t first_access = 0, access_count = 0;
    task_outcome outcome = task_outcome::waiting;
    // when it was spawned: how often its spawner had waited for its tasks, and the own time of the spawner then and now
    std::uint32_t syncs_before = 0;
    std::int64_t sync_offset_ns = 0, offset_ns = 0;
    // as a spawner: the same at its end
    std::uint32_t syncs = 0;
    std::int64_t last_sync_ns = 0;
    std::int64_t own_ns = 0;
    // since the recording began
    std::int64_t begin_ns = 0, end_ns = 0;
};

struct recorded_graph {
    std::vector<recorded_task> tasks;   // in program order, each spawner before its tasks
    std::vector<recorded_access> accesses;
};

// Computed for one entry of recorded_graph::tasks.
struct task_facts {
    std::uint32_t number = 0;           // in program order, from 1; 0: an outermost function
    std::uint32_t depth = 0;            // greater than that of every predecessor
    std::int64_t critical_ns = 0;       // its part of the span
    bool is_critical = false;           // on the critical path
};

// Versions and generations are counted within the spawner's graph.
struct access_facts {
    std::uint32_t object = 0;           // index in graph_facts::objects
    std::uint32_t version = 0;
    std::uint32_t generation = 0;       // of the version
};

struct object_facts {
    std::uint64_t address = 0;          // 0: a teff::object
};

// Each task of `to` depends on each of `from`, by an access to the object. One function has spawned them.
struct dependence {
    std::uint32_t object = 0;
    std::vector<std::uint32_t> from, to;  // entries in program order, at least one each
};

struct graph_facts {
    std::vector<task_facts> tasks;
    std::vector<access_facts> accesses;
    std::vector<object_facts> objects;
    std::vector<std::uint32_t> program_order;  // entries, without outermost functions
    std::vector<std::uint32_t> critical_path;  // the same
    std::vector<dependence> dependences;
    std::int64_t work_ns = 0;
    std::int64_t span_ns = 0;

    double parallelism() const noexcept {
        return span_ns == 0 ? 0 : static_cast<double>(work_ns) / static_cast<double>(span_ns);
    }
};

// Throws std::bad_alloc. Takes time in proportion to the tasks and accesses.
graph_facts facts_of(const recorded_graph& graph);

}  // namespace teff::dataflow
