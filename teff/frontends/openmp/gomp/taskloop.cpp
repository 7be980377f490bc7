// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's calls for taskloop. The first two words of the data are the bounds of a task's iterations; the task's own code
// decides whether it has the last one. A task that runs at once without a copy function uses the caller's block.
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/iterations/iterations.hpp>
#include <teff/frontends/openmp/core/iterations/taskloop.hpp>
#include <teff/frontends/openmp/core/tasks/submit.hpp>
#include <teff/frontends/openmp/core/tasks/wait.hpp>
#include <teff/frontends/openmp/gomp/reductions.hpp>
#include <teff/frontends/openmp/gomp/outlined_call.hpp>

namespace teff::openmp::gomp {
namespace {

struct taskloop_call {
    task_call task;
    unsigned flags;
    unsigned long number;  // grainsize or num_tasks; 0: none
    int priority;
    iteration_space space;
};

void make_part(place& caller, const taskloop_call& loop, std::uint64_t begin, std::uint64_t end) noexcept {
    if (is_dropped(caller, caller.current->group)) [[unlikely]]
        return;
    const std::uint64_t bounds[] = {begin, end};
    task_call part = loop.task;
    part.bounds = bounds;
    events::next_task_has_chunk(begin, (end - begin) / loop.space.step);
    events::next_task_has(flags_for_tool(loop.flags, (loop.flags & flag_if) != 0));
    if (is_undeferred(caller, (loop.flags & flag_if) != 0))
        return part.run(caller, loop.flags);
    const bool has_order = (loop.flags & flag_priority) != 0 && has_effect(loop.priority);
    if (!has_order && !is_to_defer(caller))
        return part.run(caller, loop.flags);
    deferred_task& made = part.make(caller, loop.flags);
    if (has_order)
        set_priority(made, loop.priority);
    events::task_created(made, events::flags_of(made.flags, false), false);
    submit(caller, made, true, {});
}

void run(const taskloop_call& loop) noexcept {
    place& caller = this_place();
    // A null pointer in the third word of the description tells the generated code that there was no iteration.
    std::uintptr_t* const reductions =
        (loop.flags & flag_reduction) != 0 ? static_cast<std::uintptr_t**>(loop.task.data)[2] : nullptr;
    if (loop.space.count == 0) {
        if (reductions != nullptr)
            reductions[2] = 0;
        return;
    }
    const division by = loop.number == 0 ? division::none
                        : (loop.flags & flag_grainsize) != 0 ? division::grainsize : division::tasks;
    const taskloop_parts parts =
        divide(loop.space.count, by, loop.number, (loop.flags & flag_strict) != 0, caller.size);
    const bool has_group = (loop.flags & flag_nogroup) == 0;
    if (has_group)
        begin_taskgroup(caller);
    if (reductions != nullptr)
        register_reductions(caller, reductions);
    events::loop_begins(events::work_kind::taskloop, loop.space.count);
    std::uint64_t begin = loop.space.first;
    for (std::uint64_t each = 0; each != parts.count; ++each) {
        const std::uint64_t end = begin + parts.size_of(each) * loop.space.step;
        make_part(caller, loop, begin, end);
        begin = end;
    }
    events::work_ends();
    if (has_group)
        end_taskgroup(caller);
}

}  // namespace
}  // namespace teff::openmp::gomp

using namespace teff::openmp;
using gomp::body;
using gomp::copier;

extern "C" {

void GOMP_taskloop(body function, void* data, copier copy, long size, long alignment, unsigned flags,
                   unsigned long number, int priority, long start, long end, long step) {
    const events::runtime_call called(TEFF_CALL_SITE);
    gomp::run({{function, data, copy, static_cast<std::size_t>(size), static_cast<std::size_t>(alignment)},
               flags, number, priority, half_open_space(start, end, step)});
}

void GOMP_taskloop_ull(body function, void* data, copier copy, long size, long alignment, unsigned flags,
                       unsigned long number, int priority, std::uint64_t start, std::uint64_t end, std::uint64_t step) {
    const events::runtime_call called(TEFF_CALL_SITE);
    gomp::run({{function, data, copy, static_cast<std::size_t>(size), static_cast<std::size_t>(alignment)},
               flags, number, priority, half_open_space((flags & gomp::flag_up) != 0, start, end, step)});
}
}
