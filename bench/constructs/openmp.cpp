// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The constructs, as a program would write them. Each function below executes its construct `count` times. All but
// `parallel` and `reduction` are called by every thread of one region; if the constructs are shared out, the caller
// gives each thread its part.
#include <bench/constructs/constructs.hpp>

#include <string_view>

#include <omp.h>

namespace bench {
namespace {

using constructs::step;

// The steps of the calling thread in this sample. A function, since a clause cannot name the variable.
std::uint64_t& own() {
    thread_local std::uint64_t steps = 0;
    return steps;
}

// What the threads of a region share; each on lines of its own.
struct common {
    alignas(128) std::uint64_t exclusive = 0;
    alignas(128) omp_lock_t lock;
    alignas(128) char object = 0;                     // whose address dependences name
    std::int64_t loop_end = 0;
};

void barriers(std::uint64_t count, common&) {
    for (std::uint64_t index = 0; index < count; ++index) {
        step(own());
#pragma omp barrier
    }
}

void singles(std::uint64_t count, common&) {
    for (std::uint64_t index = 0; index < count; ++index) {
#pragma omp single
        step(own());
    }
}

#define TEFF_BENCH_TEXT(...) #__VA_ARGS__
#define TEFF_BENCH_LOOPS(name, ...)                                                       \
    void name(std::uint64_t count, common& all) {                                         \
        const std::int64_t end = all.loop_end;                                            \
        for (std::uint64_t index = 0; index < count; ++index) {                           \
            _Pragma(TEFF_BENCH_TEXT(omp for schedule(__VA_ARGS__)))                       \
            for (std::int64_t iteration = 0; iteration < end; ++iteration) step(own());   \
        }                                                                                 \
    }
TEFF_BENCH_LOOPS(static_loops, static)
TEFF_BENCH_LOOPS(static_chunk_loops, static, constructs::chunk)
TEFF_BENCH_LOOPS(dynamic_loops, dynamic)
TEFF_BENCH_LOOPS(dynamic_chunk_loops, dynamic, constructs::chunk)
TEFF_BENCH_LOOPS(guided_loops, guided)
TEFF_BENCH_LOOPS(guided_chunk_loops, guided, constructs::chunk)

void ordered_loops(std::uint64_t count, common& all) {
    const std::int64_t end = all.loop_end;
    for (std::uint64_t index = 0; index < count; ++index) {
#pragma omp for ordered schedule(static, 1)
        for (std::int64_t iteration = 0; iteration < end; ++iteration) {
#pragma omp ordered
            step(all.exclusive);
        }
    }
}

void section_groups(std::uint64_t count, common&) {
    static_assert(constructs::sections == 4);
    for (std::uint64_t index = 0; index < count; ++index) {
#pragma omp sections
        {
#pragma omp section
            step(own());
#pragma omp section
            step(own());
#pragma omp section
            step(own());
#pragma omp section
            step(own());
        }
    }
}

void atomic_updates(std::uint64_t count, common& all) {
    for (std::uint64_t index = 0; index < count; ++index) {
#pragma omp atomic
        ++all.exclusive;
    }
}

void critical_sections(std::uint64_t count, common& all) {
    for (std::uint64_t index = 0; index < count; ++index) {
#pragma omp critical
        step(all.exclusive);
    }
}

void locked_sections(std::uint64_t count, common& all) {
    for (std::uint64_t index = 0; index < count; ++index) {
        omp_set_lock(&all.lock);
        step(all.exclusive);
        omp_unset_lock(&all.lock);
    }
}

void tasks(std::uint64_t count, common&) {
    for (std::uint64_t index = 0; index < count; ++index) {
#pragma omp task default(none)
        step(own());
    }
}

void tasks_of_one(std::uint64_t count, common& all) {
#pragma omp single nowait
    tasks(count, all);
}

void taskwaits(std::uint64_t count, common&) {
    for (std::uint64_t index = 0; index < count; ++index) {
#pragma omp task default(none)
        step(own());
#pragma omp taskwait
    }
}

void taskgroups(std::uint64_t count, common&) {
    for (std::uint64_t index = 0; index < count; ++index) {
#pragma omp taskgroup
        {
#pragma omp task default(none)
            step(own());
        }
    }
}

void undeferred_tasks(std::uint64_t count, common&) {
    for (std::uint64_t index = 0; index < count; ++index) {
#pragma omp task default(none) if (false)
        step(own());
    }
}

// Not every runtime bounds the tasks with dependences that have not ended.
constexpr std::uint64_t most_dependent = 1024;

#define TEFF_BENCH_DEPENDENT_TASKS(name, kind)                                            \
    void name(std::uint64_t count, common& all) {                                         \
        _Pragma("omp single nowait")                                                      \
        for (std::uint64_t index = 0; index < count; ++index) {                           \
            _Pragma(TEFF_BENCH_TEXT(omp task default(none) depend(kind : all.object)))    \
            step(own());                                                                  \
            if (index % most_dependent == most_dependent - 1) { _Pragma("omp taskwait") } \
        }                                                                                 \
    }
TEFF_BENCH_DEPENDENT_TASKS(reading_tasks, in)
TEFF_BENCH_DEPENDENT_TASKS(chained_tasks, inout)
TEFF_BENCH_DEPENDENT_TASKS(exclusive_tasks, mutexinoutset)

// Clang warns of the conversions that it makes itself for a taskloop.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wsign-conversion"
#pragma clang diagnostic ignored "-Wsign-compare"
#endif
#define TEFF_BENCH_TASKLOOPS(name, grain)                                                           \
    void name(std::uint64_t count, common& all) {                                                   \
        _Pragma("omp single nowait")                                                                \
        for (std::uint64_t index = 0; index < count; ++index) {                                     \
            const std::int64_t end = all.loop_end;                                                  \
            _Pragma(TEFF_BENCH_TEXT(omp taskloop default(none) firstprivate(end) grainsize(grain))) \
            for (std::int64_t iteration = 0; iteration < end; ++iteration) step(own());             \
        }                                                                                           \
    }
TEFF_BENCH_TASKLOOPS(taskloops_of_1, 1)
TEFF_BENCH_TASKLOOPS(taskloops_of_8, 8)
TEFF_BENCH_TASKLOOPS(taskloops_of_64, 64)
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

// Returns the steps of all threads, those in exclusive sections included.
std::uint64_t in_region(int threads, void (*construct)(std::uint64_t, common&), std::uint64_t count, common& all) {
    std::uint64_t steps = 0;
    all.exclusive = 0;
#pragma omp parallel num_threads(threads) default(none) shared(steps, all) firstprivate(construct, count)
    {
        own() = 0;
        construct(count, all);
#pragma omp barrier
#pragma omp atomic
        steps += own();
    }
    return steps + all.exclusive;
}

// The threads keep their variables from one region to the next, since all regions have the same number of threads.
std::uint64_t regions(int threads, std::uint64_t count) {
    std::uint64_t steps = 0;
#pragma omp parallel num_threads(threads) default(none)
    own() = 0;
    for (std::uint64_t index = 0; index < count; ++index) {
#pragma omp parallel num_threads(threads) default(none)
        step(own());
    }
#pragma omp parallel num_threads(threads) default(none) shared(steps)
    {
#pragma omp atomic
        steps += own();
    }
    return steps;
}

std::uint64_t reductions(int threads, std::uint64_t count) {
    std::uint64_t steps = 0;
    for (std::uint64_t index = 0; index < count; ++index) {
#pragma omp parallel num_threads(threads) default(none) reduction(+ : steps)
        step(steps);
    }
    return steps;
}

enum class steps_of { one, every_thread, sections, loop };  // in one construct

struct row {
    std::string_view name;
    void (*construct)(std::uint64_t count, common&);
    steps_of steps;
    bool is_shared_out = false;
};

constexpr row rows[] = {
    {"barrier", barriers, steps_of::every_thread},
    {"single", singles, steps_of::one},
    {"for_static", static_loops, steps_of::loop},
    {"for_static_4", static_chunk_loops, steps_of::loop},
    {"for_dynamic", dynamic_loops, steps_of::loop},
    {"for_dynamic_4", dynamic_chunk_loops, steps_of::loop},
    {"for_guided", guided_loops, steps_of::loop},
    {"for_guided_4", guided_chunk_loops, steps_of::loop},
    {"ordered", ordered_loops, steps_of::loop},
    {"sections", section_groups, steps_of::sections},
    {"atomic", atomic_updates, steps_of::one, true},
    {"critical", critical_sections, steps_of::one, true},
    {"lock", locked_sections, steps_of::one, true},
    {"task", tasks, steps_of::one, true},
    {"task_single", tasks_of_one, steps_of::one},
    {"taskwait", taskwaits, steps_of::every_thread},
    {"taskgroup", taskgroups, steps_of::every_thread},
    {"task_undeferred", undeferred_tasks, steps_of::every_thread},
    {"depend_in", reading_tasks, steps_of::one},
    {"depend_inout", chained_tasks, steps_of::one},
    {"depend_mutex", exclusive_tasks, steps_of::one},
    {"taskloop_1", taskloops_of_1, steps_of::loop},
    {"taskloop_8", taskloops_of_8, steps_of::loop},
    {"taskloop_64", taskloops_of_64, steps_of::loop},
};

std::uint64_t steps_in(steps_of one_construct, unsigned threads) {
    switch (one_construct) {
    case steps_of::one:
        return 1;
    case steps_of::every_thread:
        return threads;
    case steps_of::sections:
        return constructs::sections;
    case steps_of::loop:
        break;
    }
    return constructs::iterations_per_thread * threads;
}

void repeat_steps(std::uint64_t count) {
    for (std::uint64_t index = 0; index < count; ++index) step(own());
}

constructs::reading measure_row(const parameters& p, const row& chosen) {
    const auto threads = static_cast<int>(p.threads);
    common all;
    all.loop_end = static_cast<std::int64_t>(constructs::iterations_per_thread * p.threads);
    omp_init_lock(&all.lock);
    const std::uint64_t each = steps_in(chosen.steps, p.threads);
    // What a thread does in the time of one construct.
    const std::uint64_t reference_steps = chosen.steps == steps_of::loop ? constructs::iterations_per_thread : 1;
    const auto construct = [&](std::uint64_t count) {
        return in_region(threads, chosen.construct, chosen.is_shared_out ? count / p.threads : count, all);
    };
    constructs::reading found = constructs::measure(
        p, each, construct, [&](std::uint64_t count) { repeat_steps(count * reference_steps); });
    omp_destroy_lock(&all.lock);
    return found;
}

}  // namespace

outcome run_constructs(const parameters& p) {
    const auto threads = static_cast<int>(p.threads);
    if (p.variant == "parallel")
        return constructs::checked(constructs::measure(
            p, p.threads, [&](std::uint64_t count) { return regions(threads, count); }, repeat_steps));
    if (p.variant == "reduction")
        return constructs::checked(constructs::measure(
            p, p.threads, [&](std::uint64_t count) { return reductions(threads, count); }, repeat_steps));
    for (const row& each : rows)
        if (each.name == p.variant) return constructs::checked(measure_row(p, each));
    throw usage_error("--variant " + p.variant + ": constructs has no such construct");
}

}  // namespace bench
