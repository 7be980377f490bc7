// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The accesses of unfinished tasks, the newest first, in buckets by address; see dependence_pairs.hpp. A new access
// waits for the newest group of accesses to its address that it conflicts with: one that writes, or several that may
// run at the same time (all that read, or all of one set). Older groups have to end before that one does.
#include <teff/frontends/openmp/core/tools/dependence_pairs.hpp>

#if TEFF_OPENMP_CALLS_TOOL

#include <teff/base/allocation.hpp>
#include <teff/base/locks.hpp>
#include <teff/frontends/openmp/core/tools/callbacks.hpp>

#include <array>
#include <mutex>

namespace teff::openmp {

struct events::live_access {
    events::task_record* its;
    const task* maker;
    std::uint64_t variable;
    events::dependence_kind kind;
    live_access* newer;
    live_access* older;
    live_access* next_of_task;
};

namespace tools {
namespace {

using events::dependence_kind;
using events::live_access;

constexpr std::size_t bucket_count = 1024;
struct bucket {
    mutex guard;
    live_access* newest = nullptr;
};
constinit std::array<bucket, bucket_count> buckets;

bucket& bucket_of(std::uint64_t variable) noexcept { return buckets[(variable >> 3) % bucket_count]; }

// Accesses of the same kind that may run at the same time, or in any order.
bool is_group(dependence_kind kind) noexcept {
    return kind == dependence_kind::in || kind == dependence_kind::mutexinoutset || kind == dependence_kind::inoutset;
}

void report_predecessors(const bucket& in, const live_access& made) noexcept {
    const live_access* each = in.newest;
    const auto skip_others = [&] {
        while (each != nullptr && (each->variable != made.variable || each->maker != made.maker))
            each = each->older;
        return each != nullptr;
    };
    while (skip_others() && is_group(made.kind) && each->kind == made.kind)
        each = each->older;
    if (each == nullptr)
        return;
    const dependence_kind group = each->kind;
    do {
        call<ompt_callback_task_dependence_t>(ompt_callback_task_dependence, &each->its->data, &made.its->data);
        each = each->older;
    } while (is_group(group) && skip_others() && each->kind == group);
}

}  // namespace

void report_pairs(events::task_record& made, const task* maker, const events::dependence* items, int count) noexcept {
    ompt_callback_t registered = nullptr;
    if (get_callback(ompt_callback_task_dependence, &registered) == 0)
        return;
    for (int item = 0; item < count; ++item) {
        if (items[item].kind == dependence_kind::source || items[item].kind == dependence_kind::sink)
            continue;
        live_access access{&made, maker, items[item].variable, items[item].kind, nullptr, nullptr, made.accesses};
        bucket& in = bucket_of(access.variable);
        const std::lock_guard guard(in.guard);
        report_predecessors(in, access);
        auto* const kept = (made.flags & ompt_task_taskwait) != 0 ? nullptr : create<live_access>(access);
        // Without memory later tasks are told nothing of this one.
        if (kept == nullptr)
            continue;
        kept->older = in.newest;
        if (in.newest != nullptr)
            in.newest->newer = kept;
        in.newest = kept;
        made.accesses = kept;
    }
}

void unlock_pairs_in_child() noexcept {
    for (bucket& each : buckets)
        each.guard.reset_after_fork();
}

void forget_accesses(events::task_record& ended) noexcept {
    while (live_access* const each = ended.accesses) {
        ended.accesses = each->next_of_task;
        bucket& in = bucket_of(each->variable);
        {
            const std::lock_guard guard(in.guard);
            (each->newer != nullptr ? each->newer->older : in.newest) = each->older;
            if (each->older != nullptr)
                each->older->newer = each->newer;
        }
        destroy(each);
    }
}

}  // namespace tools
}  // namespace teff::openmp

#endif
