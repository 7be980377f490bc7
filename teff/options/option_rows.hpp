// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The only table of options, with one row per option. The parser of variables and flags, the settings of a team,
// `teff info --options` and docs/options.md are derived from it.
//
//   {name, variable, type, minimum, maximum, usual, sentence, further members of option_row}
//
// `usual` is the default. If an option sets a field of scheduler_settings, the default is the initial value of that
// field (settings.hpp), and the row says field<&settings::x>(). If users write this default as a word, the word is the
// argument: field<&settings::x>("auto"). It is the name of a choice, or means 0. All other defaults are defined in
// this table. The rows of the schedulers (scheduler/schedulers.hpp) say which options each scheduler reads. The
// defaults of the options of `blaze` (settings.hpp) are those of Blaze-Tasks, section 4.3.2.
//
// Only option_table.hpp includes this file; all other files include option_table.hpp.
#pragma once

#include <teff/depend/names.hpp>
#include <teff/options/option_row.hpp>
#include <teff/reclaim/names.hpp>
#include <teff/scheduler/schedulers.hpp>

namespace teff::option_rows {

inline constexpr auto scheduler_names = [] {
    constexpr auto rows = schedulers();
    std::array<named_choice, rows.size()> names{};
    for (std::size_t index = 0; index < rows.size(); ++index)
        names[index] = {rows[index].name, rows[index].sentence};
    return names;
}();

inline constexpr named_choice bind_names[] = {
    {"none", "the operating system places the workers"},
    {"cores", "each worker stays on one CPU, on a core of its own while there are enough; the caller's thread is free"},
};

inline constexpr named_choice blaze_steal_names[] = {
    {"half", "up to half of the tasks in a block, unless moving a task may throw"},
    {"one", "one task, as published"},
};

inline constexpr named_choice blaze_visits_names[] = {
    {"near_first", "the near ones first; among equally near ones the round starts at a random one"},
    {"round_robin", "all in turn, near or far, as published"},
};

inline constexpr named_choice counters_names[] = {
    {"off", "nothing is counted"},
    {"on", "tasks, thefts, sleeps and idle time of each worker"},
};

inline constexpr named_choice openmp_verbose_names[] = {
    {"off", "nothing is said"},
    {"on", "one line at its first use with its file, scheduler, tracker and threads, and one for each other runtime"},
};

inline constexpr named_choice rescue_names[] = {
    {"off", "a task waits for the worker that it was dealt to, as published"},
    {"on", "idle workers also take tasks that were dealt to a worker that is inside a long task"},
};

inline constexpr named_choice trace_on_interrupt_names[] = {
    {"off", "the signals are the program's alone"},
    {"on", "a signal that the program neither handles nor ignores writes the trace before it ends the program"},
};

// In the order of the constants in scheduler_settings.
inline constexpr named_choice shepherd_names[] = {
    {"per_worker", "each worker is a shepherd"},
    {"per_numa", "the workers of a NUMA domain are a shepherd"},
};
static_assert(scheduler_settings::shepherd_per_worker == -1 && scheduler_settings::shepherd_per_numa == -2);

// Whether the text describes a synthetic machine.
bool is_shape(std::string_view written) noexcept;
// Whether the text is the name of a JSON file. The ending is demanded so that "on" does not make a file of that name.
bool is_json_file(std::string_view written) noexcept;
// The same for a JSON file or one for Graphviz.
bool is_graph_file(std::string_view written) noexcept;

using enum option_type;
using settings = scheduler_settings;
inline constexpr long mib = 1L << 20;

inline constexpr auto all = numbered({
    {"threads", "TEFF_NUM_THREADS", integer, 1, max_threads, "auto",
     "threads that work together, the caller's included; auto is the smaller of the CPUs in the affinity mask and "
     "the control groups' CPU quota"},
    {"scheduler", "TEFF_SCHEDULER", choice, 0, 0, scheduler_names.front().name,
     "which ready task a worker runs next, and where a new one goes", scheduler_names},
    {"reclaimer", "TEFF_RECLAIMER", choice, 0, 0, field<&settings::reclaimer>(reclaimer_names[0].name),
     "when memory that a scheduler shares between threads is freed", reclaimer_names},
    {"tracker", "TEFF_TRACKER", choice, 0, 0, tracker_choices[0].name,
     "how dataflow finds out which tasks are ready", tracker_choices},
    {"dataflow_tasks", "TEFF_DATAFLOW_TASKS", integer, 0, 1'000'000'000, "65536",
     "tasks with dependences that a function may have spawned and that have not ended, before spawn() waits; 0 is no "
     "limit"},
    {"rename_memory_mib", "TEFF_RENAME_MEMORY_MIB", integer, 0, 1'000'000, "256",
     "MiB of new versions of objects; beyond that `out` waits as `inout` does"},
    {"fiber_stack_kib", "TEFF_FIBER_STACK_KIB", integer, 16, 1'048'576, "256",
     "KiB of a fiber's stack; eight times as much in a program with a sanitizer, where functions need more"},
    {"more_stack_mib", "TEFF_MORE_STACK_MIB", integer, 0, 1'000'000, "256",
     "MiB of stacks, in the whole process, for forks and waits that nest deeper than their own stack; beyond that "
     "forks throw stack_exhausted"},
    {"max_queued", "TEFF_MAX_QUEUED", integer, 0, 1'000'000'000'000, field<&settings::max_queued>(),
     "tasks that one worker may have queued before it runs new ones at once; 0 is no limit"},
    {"bind", "TEFF_BIND", choice, 0, 0, field<&settings::binds_workers>(bind_names[0].name),
     "whether workers are bound to CPUs; if so, the queues of xqueue_* lie on the NUMA nodes of their consumers",
     bind_names},
    {"topology", "TEFF_TOPOLOGY", text, 0, 0, "machine",
     "the CPUs and their distances: those of the machine, or of a synthetic one to try a scheduler on",
     {}, is_shape, "sockets:2 cores:4 threads:2"},
    {"spin_us", "TEFF_SPIN_US", integer, 0, 1'000'000, "50",
     "microseconds that an idle worker searches for work before it sleeps"},
    {"tree_start_threshold", "TEFF_TREE_START_THRESHOLD", integer, 1, max_threads, "8",
     "a starter of more threads than this hands half of them to another (Blaze-Tasks)"},
    {"inline_depth", "TEFF_INLINE_DEPTH", integer, 0, 10'000, field<&settings::inline_depth>(),
     "how many tasks that the scheduler refused to queue may run inside each other on one stack"},
    {"block_size", "TEFF_BLOCK_SIZE", integer, 2, 65'536, field<&settings::block_size>(),
     "tasks in a block of a block_queue"},
    {"epoch_threshold", "TEFF_EPOCH_THRESHOLD", integer, 1, 1'000'000, field<&settings::epoch_threshold>(),
     "reclaimers epoch, hazard: freed blocks of a thread before it looks at the others (Blaze-Tasks, section 2.3)"},
    {"blaze_steal", "TEFF_BLAZE_STEAL", choice, 0, 0, field<&settings::steals_one>(blaze_steal_names[0].name),
     "how many tasks a thief takes from a victim at once (Blaze-Tasks, section 4.3.2)", blaze_steal_names},
    {"blaze_visits", "TEFF_BLAZE_VISITS", choice, 0, 0, field<&settings::visits_in_turn>(blaze_visits_names[0].name),
     "in which order a thief visits its victims (Blaze-Tasks, section 4.3.2)", blaze_visits_names},
    {"blaze_attempts_same_core", "TEFF_BLAZE_ATTEMPTS_SAME_CORE", integer, 1, 1000,
     field<&settings::attempts_same_core>(),
     "attempts to steal from a victim on the same core"},
    {"blaze_attempts_same_socket", "TEFF_BLAZE_ATTEMPTS_SAME_SOCKET", integer, 1, 1000,
     field<&settings::attempts_same_socket>(),
     "the same for the same socket"},
    {"blaze_attempts_other_socket", "TEFF_BLAZE_ATTEMPTS_OTHER_SOCKET", integer, 1, 1000,
     field<&settings::attempts_other_socket>(),
     "the same for other sockets"},
    {"blaze_attempts_above_average", "TEFF_BLAZE_ATTEMPTS_ABOVE_AVERAGE", integer, 0, 1000,
     field<&settings::attempts_above_average>(),
     "attempts at a victim that holds more than the rolling average, if that is more"},
    {"blaze_below_average_divisor", "TEFF_BLAZE_BELOW_AVERAGE_DIVISOR", integer, 0, 1000,
     field<&settings::below_average_divisor>(),
     "no attempt at a victim below the average divided by this; 0 tries every victim"},
    {"demand_private_items", "TEFF_DEMAND_PRIVATE_ITEMS", integer, 1, 1'000'000'000, field<&settings::private_items>(),
     "tasks that one worker may have queued before it runs new ones at once"},
    {"xqueue_capacity", "TEFF_XQUEUE_CAPACITY", integer, 4, 1'048'576, field<&settings::xqueue_capacity>(),
     "tasks in one of the queues, of which each worker has one per worker; rounded up to a power of two"},
    {"xqueue_memory_mib", "TEFF_XQUEUE_MEMORY_MIB", integer, 1, 1'000'000, field<&settings::xqueue_memory, mib>(),
     "MiB that all queues may take; bounds how many others a worker gives tasks to"},
    {"xqueue_min_tries", "TEFF_XQUEUE_MIN_TRIES", integer, 1, 1'000'000, field<&settings::min_tries>(),
     "looks for an answer before a thief gives up, at first (X-OpenMP, section 4.1)"},
    {"xqueue_max_tries", "TEFF_XQUEUE_MAX_TRIES", integer, 1, 1'000'000'000, field<&settings::max_tries>(),
     "the same at most"},
    {"xqueue_full_pause", "TEFF_XQUEUE_FULL_PAUSE", integer, 0, 1'000'000, field<&settings::xqueue_full_pause>(),
     "tasks that run at once after one has found a queue full and no worker idle, before the next look at a queue; 0 "
     "looks each time, as published"},
    {"dry_polls", "TEFF_DRY_POLLS", integer, 0, 1'000'000, field<&settings::dry_polls>(),
     "looks, with short pauses, before a worker that has run dry counts as idle (xqueue_*), or one that waits for a "
     "fork searches for other work (demand)"},
    {"ompi_queue_size", "TEFF_OMPI_QUEUE_SIZE", integer, 1, 1'048'576, field<&settings::ompi_queue_size>(),
     "tasks that one worker may have queued before new ones run at once (OMPi, section 4)"},
    {"ompi_combining_bound", "TEFF_OMPI_COMBINING_BOUND", integer, 1, 1'000'000,
     field<&settings::ompi_combining_bound>("auto"),
     "tasks that one worker takes in a row for all that wait for the same queue; auto is 10 per thread"},
    {"task_limit", "TEFF_TASK_LIMIT", integer, 0, 1'000'000'000'000, field<&settings::task_limit>(),
     "tasks that one worker has made and that have not run, before new ones run at once; 0 is no limit"},
    {"shepherds", "TEFF_SHEPHERDS", integer, 1, max_threads, field<&settings::shepherds>("auto"),
     "groups of workers to which fibers can be bound, and which share a queue with fifo and sherwood; auto is per_numa "
     "for sherwood, per_worker for fifo, nemesis and distrib, and 1 for all others", shepherd_names},
    {"sherwood_steal", "TEFF_SHERWOOD_STEAL", integer, 1, 1'000'000, field<&settings::sherwood_steal>("auto"),
     "tasks stolen at once; auto is as many as the thief's shepherd has workers"},
    {"rescue", "TEFF_RESCUE", choice, 0, 0, field<&settings::rescue>(rescue_names[0].name),
     "whether tasks that were dealt to a worker are taken by others while it is inside a long task", rescue_names},
    {"distrib_steal_ratio", "TEFF_DISTRIB_STEAL_RATIO", integer, 1, 1'000'000, field<&settings::distrib_steal_ratio>(),
     "looks into the own queue for each attempt to steal (STEAL_RATIO of Qthreads)"},
    {"distrib_cond_backoff", "TEFF_DISTRIB_COND_BACKOFF", integer, 0, 1'000'000'000'000, "100000",
     "cycles that an idle worker looks around before it leaves or sleeps, in place of spin_us (COND_BACKOFF of "
     "Qthreads)"},
    {"counters", "TEFF_COUNTERS", choice, 0, 0, field<&settings::counts>(counters_names[0].name),
     "whether to count what each worker does (teff/counters.hpp)", counters_names},
    {"trace", "TEFF_TRACE", text, 0, 0, "off",
     "the file for a record of what each thread does when, for `teff trace`, Perfetto and chrome://tracing "
     "(teff/timeline.hpp)",
     {}, is_json_file, "trace.json"},
    {"trace_events", "TEFF_TRACE_EVENTS", integer, 0, 1'000'000'000, "1000000",
     "tasks, labels, searches and sleeps that the trace has room for, of 24 bytes each; 0 records only what each "
     "thread does, and no tasks"},
    {"trace_on_interrupt", "TEFF_TRACE_ON_INTERRUPT", choice, 0, 0, trace_on_interrupt_names[0].name,
     "whether SIGINT, SIGTERM and SIGHUP write the trace before they end the program", trace_on_interrupt_names},
    {"dataflow_graph", "TEFF_DATAFLOW_GRAPH", text, 0, 0, "off",
     "the file for a record of the task graph of dataflow, for `teff graph` or for Graphviz (teff/dataflow_graph.hpp)",
     {}, is_graph_file, "graph.json or graph.dot"},
    {"openmp_verbose", "TEFF_OPENMP_VERBOSE", choice, 0, 0, openmp_verbose_names[0].name,
     "whether the OpenMP runtime says on stderr that it is active", openmp_verbose_names},
    {"stall_report_s", "TEFF_STALL_REPORT_S", integer, 0, 86'400, "30",
     "seconds after which a stall is reported, with what waits where for what: all threads that run tasks wait, and "
     "none is inside of the program's own code; 0 is never"},
});

}  // namespace teff::option_rows
