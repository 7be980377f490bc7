// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls for taskloop. The caller has made one task as a pattern, whose private variables have the bounds, at
// first those of all iterations. Each task of the loop is a copy of the pattern with bounds of its own; the last one is
// the pattern itself.
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/iterations/taskloop.hpp>
#include <teff/frontends/openmp/core/tasks/run.hpp>
#include <teff/frontends/openmp/core/tasks/submit.hpp>
#include <teff/frontends/openmp/core/tasks/task_memory.hpp>
#include <teff/frontends/openmp/core/tasks/wait.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>
#include <teff/frontends/openmp/kmpc/task_block.hpp>

#include <cstring>

namespace teff::openmp::kmpc {
namespace {

// A function of the compiler's that copies private variables with constructors, and writes whether the task has the
// last iteration. nullptr: not needed.
using duplicator = void (*)(task_block* to, task_block* from, std::int32_t has_last);

struct taskloop_call {
    task_block& pattern;
    std::uint64_t* lower;
    std::uint64_t* upper;
    std::int64_t step;
    bool is_deferrable;
    duplicator duplicate;
};

task_block& copy_block(place& caller, task_block& pattern, duplicator duplicate) noexcept {
    deferred_task& from = record_of(pattern);
    deferred_task& made = make_task(caller, from.data_size, block_alignment);
    std::byte* const data = data_of(made, block_alignment);
    std::memcpy(data, &pattern, from.data_size);
    auto& block = *reinterpret_cast<task_block*>(data);
    if (pattern.shareds != nullptr)
        block.shareds = data + (static_cast<std::byte*>(pattern.shareds) - reinterpret_cast<std::byte*>(&pattern));
    made.data = data;
    made.call = from.call;
    made.flags = from.flags;
    made.data_size = from.data_size;
    if (duplicate != nullptr)
        duplicate(&block, &pattern, 0);
    return block;
}
// Ends a task that is not called.
void drop(place& caller, task_block& unused) noexcept {
    deferred_task& made = record_of(unused);
    destroy_private(caller, made);
    free_task(caller, made);
}
std::uint64_t* in_copy(std::uint64_t* in_pattern, task_block& pattern, task_block& block) noexcept {
    return reinterpret_cast<std::uint64_t*>(reinterpret_cast<std::byte*>(&block) +
                                            (reinterpret_cast<std::byte*>(in_pattern) -
                                             reinterpret_cast<std::byte*>(&pattern)));
}
std::uint64_t count_iterations(std::uint64_t lower, std::uint64_t upper, std::int64_t step) noexcept {
    if (step == 1)
        return upper - lower + 1;
    if (step > 0)
        return static_cast<std::int64_t>(lower) > static_cast<std::int64_t>(upper)
                   ? 0
                   : (upper - lower) / static_cast<std::uint64_t>(step) + 1;
    return static_cast<std::int64_t>(lower) < static_cast<std::int64_t>(upper)
               ? 0
               : (lower - upper) / (0 - static_cast<std::uint64_t>(step)) + 1;
}
void submit_part(place& caller, const taskloop_call& loop, task_block& block) noexcept {
    deferred_task& made = record_of(block);
    if constexpr (events::are_reported) {
        const std::uint64_t lower = *in_copy(loop.lower, loop.pattern, block);
        events::task_created(made, events::flags_of(made.flags, !loop.is_deferrable), false);
        events::task_has_chunk(
            made, lower, count_iterations(lower, *in_copy(loop.upper, loop.pattern, block), loop.step));
    }
    if (loop.is_deferrable)
        submit_block(caller, made, {});
    else
        submit(caller, made, false, {});
}

void make_parts(place& caller, const taskloop_call& loop, const taskloop_parts& parts) noexcept {
    std::uint64_t lower = *loop.lower;
    const auto step = static_cast<std::uint64_t>(loop.step);
    for (std::uint64_t each = 0; each + 1 < parts.count; ++each) {
        task_block& block = copy_block(caller, loop.pattern, loop.duplicate);
        const std::uint64_t next = lower + parts.size_of(each) * step;
        *in_copy(loop.lower, loop.pattern, block) = lower;
        *in_copy(loop.upper, loop.pattern, block) = next - step;
        submit_part(caller, loop, block);
        lower = next;
    }
    *loop.lower = lower;
}

void run(task_block& pattern, bool is_deferrable, std::uint64_t* lower, std::uint64_t* upper, std::int64_t step,
         bool has_group, std::int32_t schedule, std::uint64_t number, bool is_strict, duplicator duplicate) noexcept {
    place& caller = this_place();
    const taskloop_call loop{pattern, lower, upper, step, is_deferrable, duplicate};
    const std::uint64_t iterations = count_iterations(*lower, *upper, step);
    if (iterations == 0)
        return drop(caller, pattern);
    if (has_group)
        begin_taskgroup(caller);
    events::loop_begins(events::work_kind::taskloop, iterations);
    const division by = schedule == 1 ? division::grainsize : schedule == 2 ? division::tasks : division::none;
    make_parts(caller, loop, divide(iterations, by, number, is_strict, caller.size));
    if (duplicate != nullptr) {
        // Only a copy can have the mark of the last iteration, since the duplicator writes it.
        task_block& last = copy_block(caller, pattern, nullptr);
        duplicate(&last, &pattern, 1);
        drop(caller, pattern);
        submit_part(caller, loop, last);
    } else {
        submit_part(caller, loop, pattern);
    }
    events::work_ends();
    if (has_group)
        end_taskgroup(caller);
}

}  // namespace
}  // namespace teff::openmp::kmpc

using namespace teff::openmp;
using namespace teff::openmp::kmpc;

extern "C" {

// schedule: 1 for grainsize, 2 for num_tasks, 0 for neither.
void __kmpc_taskloop(ident*, std::int32_t, task_block* pattern, std::int32_t is_deferrable, std::uint64_t* lower,
                     std::uint64_t* upper, std::int64_t step, std::int32_t has_no_group, std::int32_t schedule,
                     std::uint64_t number, duplicator duplicate) {
    const events::runtime_call called(TEFF_CALL_SITE);
    run(*pattern, is_deferrable != 0, lower, upper, step, has_no_group == 0, schedule, number, false, duplicate);
}
void __kmpc_taskloop_5(ident*, std::int32_t, task_block* pattern, std::int32_t is_deferrable, std::uint64_t* lower,
                       std::uint64_t* upper, std::int64_t step, std::int32_t has_no_group, std::int32_t schedule,
                       std::uint64_t number, std::int32_t is_strict, duplicator duplicate) {
    const events::runtime_call called(TEFF_CALL_SITE);
    run(*pattern, is_deferrable != 0, lower, upper, step, has_no_group == 0, schedule, number, is_strict != 0,
        duplicate);
}
}
