// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of variables. Its order is that of OMP_DISPLAY_ENV and of the page that documents them.
#include <teff/frontends/openmp/core/environment/variables.hpp>

#include <teff/base/thread.hpp>
#include <teff/frontends/openmp/core/environment/places_text.hpp>
#include <teff/machine/text.hpp>

#include <climits>
#include <type_traits>

namespace teff::openmp::environment {
namespace {

constexpr std::string_view policies[] = {"", "ACTIVE", "PASSIVE"};
constexpr std::string_view offloads[] = {"DISABLED", "DEFAULT", "MANDATORY"};
constexpr std::string_view displays[] = {"FALSE", "TRUE", "VERBOSE"};
constexpr std::string_view tools[] = {"disabled", "enabled"};
constexpr std::string_view libraries[] = {"", "serial", "turnaround", "throughput"};

// For fields of type bool.
template <bool settings::*Field>
constexpr bool (*boolean)(std::string_view, settings&) noexcept = [](std::string_view text, settings& into) noexcept {
    return parse_boolean(text, into.*Field);
};
template <bool settings::*Field>
constexpr void (*show_boolean)(bounded_text&, const settings&) noexcept =
    [](bounded_text& to, const settings& from) noexcept { to.add(from.*Field ? "TRUE" : "FALSE"); };

template <long settings::*Field, long Least, long Most = INT_MAX>
constexpr bool (*integer)(std::string_view, settings&) noexcept = [](std::string_view text, settings& into) noexcept {
    return parse_integer(text, Least, Most, into.*Field);
};
template <long settings::*Field>
constexpr void (*show_integer)(bounded_text&, const settings&) noexcept =
    [](bounded_text& to, const settings& from) noexcept { to.add(from.*Field); };

// For enumerations whose values are the indices of a list of words.
template <auto Field, const auto& Words>
constexpr bool (*choice)(std::string_view, settings&) noexcept = [](std::string_view text, settings& into) noexcept {
    unsigned which = 0;
    if (text.empty() || !parse_word(text, Words, which))
        return false;
    into.*Field = static_cast<std::remove_cvref_t<decltype(into.*Field)>>(which);
    return true;
};
template <auto Field, const auto& Words>
constexpr void (*show_choice)(bounded_text&, const settings&) noexcept =
    [](bounded_text& to, const settings& from) noexcept { to.add(Words[static_cast<unsigned>(from.*Field)]); };

template <std::size_t settings::*Field, std::size_t Unit>
constexpr bool (*size)(std::string_view, settings&) noexcept = [](std::string_view text, settings& into) noexcept {
    return parse_size(text, Unit, into.*Field);
};
void show_stack_size(bounded_text& to, const settings& from) noexcept {
    to.add(static_cast<long>(from.stack_size != 0 ? from.stack_size : next_stack_size())).add('B');
}

void show_threads(bounded_text& to, const settings& from) noexcept {
    for (unsigned level = 0; level < from.threads.count; ++level) {
        if (level != 0)
            to.add(',');
        to.add(static_cast<long>(from.threads.at[level]));
    }
}
constexpr std::string_view bind_words[] = {"FALSE", "TRUE", "PRIMARY", "CLOSE", "SPREAD"};
void show_binds(bounded_text& to, const settings& from) noexcept {
    for (unsigned level = 0; level < from.binds.count; ++level) {
        if (level != 0)
            to.add(',');
        to.add(bind_words[static_cast<unsigned>(from.binds.at[level])]);
    }
}
void show_teams_bind(bounded_text& to, const settings& from) noexcept {
    const binding shown = from.teams_binds.count == 0 ? binding::spread : from.teams_binds.at[0];
    to.add(bind_words[static_cast<unsigned>(shown)]);
}
void show_schedule(bounded_text& to, const settings& from) noexcept {
    constexpr std::string_view words[] = {"STATIC", "DYNAMIC", "GUIDED", "AUTO", "TRAPEZOIDAL"};
    if (from.schedule.is_monotonic)
        to.add("MONOTONIC:");
    to.add(words[static_cast<unsigned>(from.schedule.kind)]);
    if (from.schedule.chunk != chunk_without(from.schedule.kind))
        to.add(',').add(from.schedule.chunk);
}
void show_block_time(bounded_text& to, const settings& from) noexcept {
    if (from.block_time_us == endless_us)
        to.add("infinite");
    else
        to.add(from.block_time_us).add("us");
}

void show_helpers(bounded_text& to, const settings& from) noexcept {
    if (from.helpers >= 0)
        to.add(from.helpers);
}

constexpr auto other = origin::other;
constexpr auto silent = origin::silent;
constexpr auto openmp = origin::openmp;

constexpr variable rows[] = {
    {"OMP_DYNAMIC", openmp, "dyn-var", "true, false", "false",
     "a region gets at most as many threads as there are processors, whatever it asks for",
     boolean<&settings::is_dynamic>, show_boolean<&settings::is_dynamic>},
    {"OMP_NUM_THREADS", openmp, "nthreads-var", "N or N,N,...: positive numbers, one per nesting level",
     "the number of usable processors", "threads of a parallel region; a list also allows nested regions",
     [](std::string_view text, settings& into) noexcept { return parse_thread_list(text, into.threads); },
     show_threads},
    {"OMP_SCHEDULE", openmp, "run-sched-var",
     "[monotonic: or nonmonotonic:]static, dynamic, guided or auto[,CHUNK]; also LLVM's static_steal, which is "
     "dynamic, and trapezoidal, which is run as guided",
     "dynamic; static in a program that is linked with libomp or libiomp5",
     "the schedule of loops with schedule(runtime)",
     [](std::string_view text, settings& into) noexcept { return parse_schedule(text, into.schedule); },
     show_schedule},
    {"OMP_PROC_BIND", openmp, "bind-var", "true, false, or primary, close, spread, master: one per nesting level",
     "false; true if places are given",
     "whether threads stay on places, and how those of a region are spread; a list also allows nested regions",
     [](std::string_view text, settings& into) noexcept { return parse_bind_list(text, into.binds); }, show_binds},
    {"OMP_PLACES", openmp, "place-partition-var",
     "threads, cores, sockets, ll_caches or numa_domains, with (COUNT) or not; or a list of places: {0:4}:2:4,!{4}",
     "cores, if threads are bound", "the sets of processors to which threads are bound", is_places_text},
    {"OMP_STACKSIZE", openmp, "stacksize-var", "a positive number with B, K, M, G or T; without, kilobytes",
     "`ulimit -s`, at least 1 MiB", "stack of the worker threads", size<&settings::stack_size, 1024>,
     show_stack_size},
    {"OMP_WAIT_POLICY", openmp, "wait-policy-var", "active, passive", "neither",
     "active: waiting threads look for work for ever; passive: they sleep at once; otherwise they do both. In a team "
     "with more threads than processors, active has no effect: waiting threads yield some times and then sleep",
     choice<&settings::policy, policies>, show_choice<&settings::policy, policies>},
    {"OMP_THREAD_LIMIT", openmp, "thread-limit-var", "a positive number", "no limit",
     "threads of the program that may work at the same time", integer<&settings::thread_limit, 1>,
     show_integer<&settings::thread_limit>},
    {"OMP_MAX_ACTIVE_LEVELS", openmp, "max-active-levels-var", "a number",
     "1; no limit if OMP_NUM_THREADS or OMP_PROC_BIND is a list, or OMP_NESTED is true",
     "regions with several threads that may be inside each other", integer<&settings::max_active_levels, 0>,
     show_integer<&settings::max_active_levels>},
    {"OMP_NESTED", openmp, "max-active-levels-var", "true, false", "false",
     "deprecated: whether regions may be inside each other", boolean<&settings::is_nested>,
     show_boolean<&settings::is_nested>},
    {"OMP_CANCELLATION", openmp, "cancel-var", "true, false", "false", "whether `cancel` has an effect",
     boolean<&settings::may_cancel>, show_boolean<&settings::may_cancel>},
    {"OMP_MAX_TASK_PRIORITY", openmp, "max-task-priority-var", "a number", "0",
     "the highest priority of tasks that counts; larger ones count as this one",
     integer<&settings::max_task_priority, 0>, show_integer<&settings::max_task_priority>},
    {"OMP_DEFAULT_DEVICE", openmp, "default-device-var", "a number", "0; none if devices are mandatory",
     "the device of target constructs; there is none but the host", integer<&settings::default_device, 0>,
     show_integer<&settings::default_device>},
    {"OMP_TARGET_OFFLOAD", openmp, "target-offload-var", "mandatory, disabled, default", "default",
     "mandatory: a target construct ends the program, since there is no device", choice<&settings::offload, offloads>,
     show_choice<&settings::offload, offloads>},
    {"OMP_ALLOCATOR", openmp, "def-allocator-var",
     "a predefined allocator, or a predefined memory space, with :TRAIT=VALUE,... or not", "omp_default_mem_alloc",
     "the allocator of allocations that name none",
     [](std::string_view text, settings& into) noexcept { return parse_allocator(text, into.allocator); }, nullptr,
     "omp_default_mem_alloc"},
    {"OMP_NUM_TEAMS", openmp, "nteams-var", "a positive number", "0: the runtime chooses", "teams of a teams construct",
     integer<&settings::teams, 1>, show_integer<&settings::teams>},
    {"OMP_TEAMS_THREAD_LIMIT", openmp, "teams-thread-limit-var", "a positive number", "0: no limit",
     "threads of each team of a teams construct", integer<&settings::teams_thread_limit, 1>,
     show_integer<&settings::teams_thread_limit>},
    {"OMP_DISPLAY_AFFINITY", openmp, "display-affinity-var", "true, false", "false",
     "whether each thread of a new team prints where it may run", boolean<&settings::displays_affinity>,
     show_boolean<&settings::displays_affinity>},
    {"OMP_AFFINITY_FORMAT", openmp, "affinity-format-var", "a text with fields such as %n and %{thread_affinity}",
     usual_affinity_format, "the form of what is printed then", nullptr, nullptr, usual_affinity_format},
    {"OMP_DISPLAY_ENV", openmp, "", "true, false, verbose", "false",
     "print these variables at the start; verbose: also those of other runtimes",
     choice<&settings::displays_environment, displays>, show_choice<&settings::displays_environment, displays>},
    {"OMP_TOOL", openmp, "tool-var", "enabled, disabled", "enabled", "whether a tool observes the program",
     [](std::string_view text, settings& into) noexcept {
         unsigned which = 0;
         const bool is_valid = parse_word(text, tools, which);
         into.has_tool = is_valid ? which == 1 : into.has_tool;
         return is_valid;
     },
     [](bounded_text& to, const settings& from) noexcept { to.add(tools[from.has_tool ? 1 : 0]); }},
    {"OMP_TOOL_LIBRARIES", openmp, "tool-libraries-var", "paths, separated by colons", "",
     "where a tool is looked for"},
    {"OMP_TOOL_VERBOSE_INIT", openmp, "tool-verbose-init-var", "disabled, stdout, stderr, or a file", "disabled",
     "where the search for a tool is described", nullptr, nullptr, "disabled"},
    {"OMP_DEBUG", openmp, "debug-var", "enabled, disabled", "disabled",
     "read and shown; there is no debugger interface",
     [](std::string_view text, settings&) noexcept {
         unsigned which = 0;
         return parse_word(text, tools, which);
     },
     nullptr, "disabled"},

    {"KMP_BLOCKTIME", other, "wait-policy-var", "milliseconds, or a number with us, ms or s; infinite",
     "what the wait policy says", "how long a waiting thread looks for work before it sleeps",
     [](std::string_view text, settings& into) noexcept { return parse_time(text, into.block_time_us); },
     show_block_time},
    {"GOMP_SPINCOUNT", other, "wait-policy-var", "a number with k, M, G or T or without; infinite",
     "what the wait policy says", "the same in turns of a loop, of about 10 ns each",
     [](std::string_view text, settings& into) noexcept { return parse_count(text, into.spin_count); }},
    {"KMP_LIBRARY", other, "", "serial, turnaround, throughput", "throughput",
     "serial: all regions have one thread; turnaround: waiting threads do not sleep",
     [](std::string_view text, settings& into) noexcept {
         return !trim(text).empty() && choice<&settings::library, libraries>(text, into);
     },
     show_choice<&settings::library, libraries>},
    {"KMP_STACKSIZE", other, "stacksize-var", "a positive number with B, K, M, G or T; without, bytes", "OMP_STACKSIZE",
     "as OMP_STACKSIZE, which counts if both are set", size<&settings::kmp_stack_size, 1>},
    {"GOMP_STACKSIZE", other, "stacksize-var", "a positive number with B, K, M, G or T; without, kilobytes",
     "OMP_STACKSIZE", "as OMP_STACKSIZE, which counts if both are set", size<&settings::gomp_stack_size, 1024>},
    {"KMP_DEVICE_THREAD_LIMIT", other, "thread-limit-var", "a positive number", "no limit",
     "as OMP_THREAD_LIMIT; the smaller one counts", integer<&settings::device_thread_limit, 1>},
    {"KMP_ALL_THREADS", other, "thread-limit-var", "a positive number", "no limit", "as KMP_DEVICE_THREAD_LIMIT",
     integer<&settings::device_thread_limit, 1>},
    {"GOMP_CPU_AFFINITY", other, "place-partition-var", "processor numbers, ranges A-B and A-B:STRIDE",
     "OMP_PLACES", "a place for each of these processors; threads are bound; without effect if OMP_PLACES is set",
     is_cpu_list_text},
    {"KMP_AFFINITY", other, "place-partition-var",
     "compact, scatter, balanced, explicit, none or disabled; granularity=thread, core or socket; proclist=[LIST]; "
     "reset",
     "OMP_PLACES", "places and binding in one; without effect if OMP_PLACES or OMP_PROC_BIND is set",
     is_kmp_affinity_text},
    {"KMP_HW_SUBSET", other, "place-partition-var",
     "1s,4c@2,1t: numbers of sockets, cores and threads to use, and offsets", "all",
     "the processors of which places are made", is_hardware_subset_text},
    {"KMP_TEAMS_PROC_BIND", other, "place-partition-var", "spread, close, primary, master, true, false", "spread",
     "how the initial threads of the teams of a league are bound, if threads are bound; with spread, a team has its "
     "own part of the places if its thread limit is not larger than that part, and otherwise all places",
     [](std::string_view text, settings& into) noexcept {
         level_list<binding> read;
         if (!parse_bind_list(text, read) || read.count != 1)
             return false;
         into.teams_binds = read;
         return true;
     },
     show_teams_bind},
    {"KMP_ENABLE_TASK_THROTTLING", other, "", "true, false", "true",
     "false: a thread that makes tasks queues them all, and runs none before it waits, unless the scheduler has a "
     "bound",
     boolean<&settings::throttles_tasks>, show_boolean<&settings::throttles_tasks>},
    {"LIBOMP_USE_HIDDEN_HELPER_TASK", other, "", "true, false", "true",
     "false: the threads of the team run the tasks of `target nowait` of Clang's programs, and not helper threads",
     boolean<&settings::uses_helpers>, show_boolean<&settings::uses_helpers>},
    {"LIBOMP_NUM_HIDDEN_HELPER_THREADS", other, "", "a number", "7, and at most the number of usable processors",
     "helper threads at most; a thread is started when all others have a task", integer<&settings::helpers, 0, 1024>,
     show_helpers},
    {"KMP_HIDDEN_HELPER_AFFINITY", other, "", "as KMP_AFFINITY, also verbose",
     "one place after the other, if threads are bound",
     "where helper threads are bound; verbose: all are started at once, and each writes a line", is_kmp_affinity_text},
    {"KMP_SETTINGS", other, "", "true, false", "false",
     "print the variables that are set, and all settings, at the start", boolean<&settings::shows_settings>,
     show_boolean<&settings::shows_settings>},
    {"KMP_VERSION", other, "", "true, false", "false", "print the runtime's version at the start",
     boolean<&settings::shows_version>, show_boolean<&settings::shows_version>},
    {"KMP_WARNINGS", other, "", "true, false", "true", "whether lines about values that cannot be used are printed",
     boolean<&settings::warns>, show_boolean<&settings::warns>},
    {"KMP_DUPLICATE_LIB_OK", other, "", "true, false", "false",
     "true: no line says that the process uses two OpenMP runtimes", boolean<&settings::allows_two_runtimes>,
     show_boolean<&settings::allows_two_runtimes>},

    {"KMP_ATOMIC_MODE", silent, "", "", "", ""},
    {"KMP_CONSISTENCY_CHECK", silent, "", "", "", ""},
    {"KMP_CPUINFO_FILE", silent, "", "", "", ""},
    {"KMP_DETERMINISTIC_REDUCTION", silent, "", "", "", ""},
    {"KMP_DISP_NUM_BUFFERS", silent, "", "a number from 1 to 4096", "", "",
     [](std::string_view text, settings&) noexcept {
         long buffers = 0;
         return parse_integer(text, 1, 4096, buffers);
     }},
    {"KMP_DYNAMIC_MODE", silent, "", "", "", ""},
    {"KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE", silent, "", "", "", ""},
    {"KMP_FORCE_REDUCTION", silent, "", "", "", ""},
    {"KMP_FOREIGN_THREADS_THREADPRIVATE", silent, "", "", "", ""},
    {"KMP_FORKJOIN_BARRIER", silent, "", "", "", ""},
    {"KMP_FORKJOIN_BARRIER_PATTERN", silent, "", "", "", ""},
    {"KMP_HANDLE_SIGNALS", silent, "", "", "", ""},
    {"KMP_HOT_TEAMS_MAX_LEVEL", silent, "", "", "", ""},
    {"KMP_HOT_TEAMS_MODE", silent, "", "", "", ""},
    {"KMP_INHERIT_FP_CONTROL", silent, "", "", "", ""},
    {"KMP_INIT_AT_FORK", silent, "", "", "", ""},
    {"KMP_LOCK_KIND", silent, "", "", "", ""},
    {"KMP_MALLOC_POOL_INCR", silent, "", "", "", ""},
    {"KMP_NESTING_MODE", silent, "", "", "", ""},
    {"KMP_PLAIN_BARRIER", silent, "", "", "", ""},
    {"KMP_PLAIN_BARRIER_PATTERN", silent, "", "", "", ""},
    {"KMP_REDUCTION_BARRIER", silent, "", "", "", ""},
    {"KMP_REDUCTION_BARRIER_PATTERN", silent, "", "", "", ""},
    {"KMP_SCHEDULE", silent, "", "", "", ""},
    {"KMP_SPIN_BACKOFF_PARAMS", silent, "", "", "", ""},
    {"KMP_STACKOFFSET", silent, "", "", "", ""},
    {"KMP_STACKPAD", silent, "", "", "", ""},
    {"KMP_TASKING", silent, "", "", "", ""},
    {"KMP_TASKLOOP_MIN_TASKS", silent, "", "", "", ""},
    {"KMP_TASK_STEALING_CONSTRAINT", silent, "", "", "", ""},
    {"KMP_TEAMS_THREAD_LIMIT", silent, "", "", "", ""},
    {"KMP_TOPOLOGY_METHOD", silent, "", "", "", ""},
    {"KMP_USE_YIELD", silent, "", "", "", ""},
    {"GOMP_DEBUG", silent, "", "", "", ""},
};

}  // namespace

std::span<const variable> variables() noexcept { return rows; }

unsigned find_variable(std::string_view name) noexcept {
    for (unsigned each = 0; each < std::size(rows); ++each)
        if (name == rows[each].name)
            return each;
    return no_variable;
}

}  // namespace teff::openmp::environment
