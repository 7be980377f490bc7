// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's calls for taskloop. The first two words of the data are the bounds of a task's iterations; the task itself
// finds out whether it has the last one. A task that runs at once without a copy function uses the caller's block.
#include <teff/frontends/openmp/core/submit.hpp>
#include <teff/frontends/openmp/core/taskgroup.hpp>
#include <teff/frontends/openmp/core/taskloop.hpp>
#include <teff/frontends/openmp/gomp/reductions.hpp>
#include <teff/frontends/openmp/gomp/task_call.hpp>

namespace teff::openmp::gomp {
namespace {

// The bounds as numbers modulo 2^64, whatever their sign.
struct taskloop_call {
    task_call task;
    unsigned flags;
    unsigned long number;  // grainsize or num_tasks; 0: none
    int priority;
    std::uint64_t start;
    std::uint64_t step;
    std::uint64_t iterations;
};

void make_part(place& here, const taskloop_call& loop, std::uint64_t begin, std::uint64_t end) noexcept {
    if (is_dropped(here, here.current->group)) [[unlikely]]
        return;
    const std::uint64_t bounds[] = {begin, end};
    task_call part = loop.task;
    part.bounds = bounds;
    if (is_undeferred(here, (loop.flags & flag_if) != 0))
        return part.run(here, loop.flags);
    const bool has_order = (loop.flags & flag_priority) != 0 && loop.priority > 0 && process().max_task_priority != 0;
    if (!has_order && !is_to_defer(here))
        return part.run(here, loop.flags);
    deferred_task& made = part.make(here, loop.flags);
    if (has_order)
        set_priority(made, loop.priority);
    submit(here, made, true, {});
}

void run(const taskloop_call& loop) noexcept {
    place& here = this_place();
    // A null pointer in the third word of the descriptor says that there was no iteration.
    std::uintptr_t* const reductions =
        (loop.flags & flag_reduction) != 0 ? static_cast<std::uintptr_t**>(loop.task.data)[2] : nullptr;
    if (loop.iterations == 0) {
        if (reductions != nullptr)
            reductions[2] = 0;
        return;
    }
    const division by = loop.number == 0 ? division::none
                        : (loop.flags & flag_grainsize) != 0 ? division::grainsize : division::tasks;
    const taskloop_parts parts =
        divide(loop.iterations, by, loop.number, (loop.flags & flag_strict) != 0, here.size);
    const bool has_group = (loop.flags & flag_nogroup) == 0;
    if (has_group)
        begin_taskgroup(here);
    if (reductions != nullptr)
        register_reductions(here, reductions);
    std::uint64_t begin = loop.start;
    for (std::uint64_t each = 0; each != parts.count; ++each) {
        const std::uint64_t end = begin + parts.size_of(each) * loop.step;
        make_part(here, loop, begin, end);
        begin = end;
    }
    if (has_group)
        end_taskgroup(here);
}

std::uint64_t count_iterations(std::uint64_t distance, std::uint64_t step) noexcept {
    return (distance - 1) / step + 1;
}

}  // namespace
}  // namespace teff::openmp::gomp

using namespace teff::openmp;
using gomp::body;
using gomp::copier;

extern "C" {

void GOMP_taskloop(body function, void* data, copier copy, long size, long alignment, unsigned flags,
                   unsigned long number, int priority, long start, long end, long step) {
    const bool is_empty = step > 0 ? start >= end : start <= end;
    const auto from = static_cast<std::uint64_t>(start), to = static_cast<std::uint64_t>(end),
               by = static_cast<std::uint64_t>(step);
    const std::uint64_t iterations =
        is_empty ? 0 : step > 0 ? gomp::count_iterations(to - from, by) : gomp::count_iterations(from - to, 0 - by);
    gomp::run({{function, data, copy, static_cast<std::size_t>(size), static_cast<std::size_t>(alignment)},
               flags, number, priority, from, by, iterations});
}

void GOMP_taskloop_ull(body function, void* data, copier copy, long size, long alignment, unsigned flags,
                       unsigned long number, int priority, std::uint64_t start, std::uint64_t end, std::uint64_t step) {
    const bool is_up = (flags & gomp::flag_up) != 0;
    const bool is_empty = is_up ? start >= end : start <= end;
    const std::uint64_t iterations = is_empty ? 0
                                     : is_up  ? gomp::count_iterations(end - start, step)
                                              : gomp::count_iterations(start - end, 0 - step);
    gomp::run({{function, data, copy, static_cast<std::size_t>(size), static_cast<std::size_t>(alignment)},
               flags, number, priority, start, step, iterations});
}
}
