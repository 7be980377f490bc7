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
#include <sched.h>

namespace teff::openmp {

struct events::live_access {
    events::task_record* its;
    const task* maker;
    std::uint64_t variable;
    events::dependence_kind kind;
    live_access* newer;
    live_access* older;
    live_access* next_of_task;
    unsigned told;  // threads that tell the tool of it now
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

// An access that another one waits for. The tool is told of it without the lock, since it may wait in its callback. The
// count `told` keeps the access, and the record of its task, until then.
struct predecessor {
    live_access& earlier;
    predecessor* next;
};

// Under the bucket's lock. The result is in the order of the list.
predecessor* find_predecessors(const bucket& in, const live_access& made) noexcept {
    predecessor* first = nullptr;
    predecessor** last = &first;
    live_access* each = in.newest;
    const auto skip_others = [&] {
        while (each != nullptr && (each->variable != made.variable || each->maker != made.maker))
            each = each->older;
        return each != nullptr;
    };
    while (skip_others() && is_group(made.kind) && each->kind == made.kind)
        each = each->older;
    if (each == nullptr)
        return nullptr;
    const dependence_kind group = each->kind;
    do {
        // Without memory the tool is not told.
        if ((*last = create<predecessor>(*each, nullptr)) != nullptr) {
            last = &(*last)->next;
            ++each->told;
        }
        if (is_graph_kept)
            add_edge(each->its->node, made.its->node);
        each = each->older;
    } while (is_group(group) && skip_others() && each->kind == group);
    return first;
}

void report(predecessor* found, bucket& in, events::task_record& made) noexcept {
    for (predecessor* each = found; each != nullptr; each = each->next)
        call<ompt_callback_task_dependence_t>(ompt_callback_task_dependence, &each->earlier.its->data, &made.data);
    const std::lock_guard guard(in.guard);
    while (predecessor* const each = found) {
        found = each->next;
        --each->earlier.told;
        destroy(each);
    }
}

}  // namespace

void report_pairs(events::task_record& made, const task* maker, const events::dependence* items, int count) noexcept {
    ompt_callback_t registered = nullptr;
    if (get_callback(ompt_callback_task_dependence, &registered) == 0 && !is_graph_kept)
        return;
    for (int item = 0; item < count; ++item) {
        if (items[item].kind == dependence_kind::source || items[item].kind == dependence_kind::sink)
            continue;
        live_access access{&made, maker, items[item].variable, items[item].kind, nullptr, nullptr, made.accesses, 0};
        bucket& in = bucket_of(access.variable);
        predecessor* found = nullptr;
        {
            const std::lock_guard guard(in.guard);
            found = find_predecessors(in, access);
            // Without memory later tasks are told nothing of this one.
            if (auto* const kept = (made.flags & ompt_task_taskwait) != 0 ? nullptr : create<live_access>(access)) {
                kept->older = in.newest;
                if (in.newest != nullptr)
                    in.newest->newer = kept;
                in.newest = kept;
                made.accesses = kept;
            }
        }
        if (found != nullptr)
            report(found, in, made);
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
            std::unique_lock guard(in.guard);
            (each->newer != nullptr ? each->newer->older : in.newest) = each->older;
            if (each->older != nullptr)
                each->older->newer = each->newer;
            while (each->told != 0) {
                guard.unlock();
                ::sched_yield();
                guard.lock();
            }
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
