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
using events::graph_edge;
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

constinit bool is_graph_kept = false;  // constant once the program runs

// A task that waits for two accesses of the same task is one successor; `to` is the newest task.
void add_edge(events::graph_node& from, events::graph_node& to) noexcept {
    if (from.successors != nullptr && from.successors->to == &to)
        return;
    // Without memory the graph lacks the edge.
    if (auto* const made = create<events::graph_edge>(&to, from.successors))
        from.successors = made;
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
        if (is_graph_kept)
            add_edge(each->its->node, made.its->node);
        each = each->older;
    } while (is_group(group) && skip_others() && each->kind == group);
}

}  // namespace

void report_pairs(events::task_record& made, const task* maker, const events::dependence* items, int count) noexcept {
    ompt_callback_t registered = nullptr;
    if (get_callback(ompt_callback_task_dependence, &registered) == 0 && !is_graph_kept)
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

void keep_graph() noexcept { is_graph_kept = true; }

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
    // None of its accesses is left, so no thread adds an edge.
    while (graph_edge* const each = ended.node.successors) {
        ended.node.successors = each->next;
        destroy(each);
    }
}

}  // namespace tools

bool events::keeps_graph() noexcept { return tools::is_graph_kept; }
events::graph_node* events::node_of(task& some) noexcept {
    return tools::is_graph_kept && some.tool.accesses != nullptr ? &some.tool.node : nullptr;
}

}  // namespace teff::openmp

#endif
