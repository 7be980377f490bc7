// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: small reductions with a known answer, and a way to act on a chosen thread in the middle of one.
#pragma once

#include <tests/conformance/tracked.hpp>

#include <teff/base/backoff.hpp>
#include <teff/reduce.hpp>
#include <teff/runtime/worker.hpp>
#include <teff/scheduler/names.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

namespace teff::testing {

// A full binary tree: 2^(depth+1) - 1 tasks, each counts for one.
struct count_tree {
    template <class Pool>
    long operator()(Pool& pool, int depth) const {
        if (depth > 0) {
            pool.enq(depth - 1);
            pool.enq(depth - 1);
        }
        return 1;
    }
    static constexpr long expected(int depth) { return (2L << depth) - 1; }
};

inline bool counts_right(const options& call, int depth) {
    return reduce_tasks(call, count_tree{}, depth) == count_tree::expected(depth);
}

enum class thread_kind { caller, worker };

// Calls `act()` once, inside a task on a thread of the wanted kind, and returns whether every task was counted. The
// first task goes on enqueuing until a task got there, so it needs no luck, and then ends like the others; `call` must
// allow two threads or more.
template <class Act>
bool act_inside_task(const options& call, thread_kind wanted, Act act) {
    struct shared_state {
        std::atomic<bool> taken{false};
        std::atomic<long> enqueued{1};
        thread_kind kind;
        Act& action;

        void act_if_here() {
            const bool on_worker = this_thread().worker != 0;
            if (on_worker != (kind == thread_kind::worker) || taken.exchange(true))
                return;
            action();
        }
    };
    shared_state state{.kind = wanted, .action = act};
    const auto body = [&state](auto& pool, bool first) -> long {
        state.act_if_here();
        while (first && !state.taken) {
            ++state.enqueued;
            pool.enq(false);
            yield_thread();
        }
        return 1;
    };
    const long counted = reduce_tasks(call, body, true);
    return counted == state.enqueued;
}

// A fixture whose parameter is the name of a scheduler.
class each_scheduler : public ::testing::TestWithParam<const char*> {
protected:
    options with_threads(long threads) const { return {.threads = threads, .scheduler = GetParam()}; }
};

inline std::string scheduler_case_name(const ::testing::TestParamInfo<const char*>& about) { return about.param; }

// But nemesis: act_inside_task() waits for a worker to get a task, and a member of nemesis that has made task_limit
// tasks before a worker came deals no more out. Under sanitizers, where a process takes long to start, one per class.
inline auto every_scheduler_name() {
    std::vector<const char*> names;
    for (const named_choice& each : scheduler_names) {
        if (std::string_view(each.name) != "nemesis")
            names.push_back(each.name);
    }
    if (conformance::sanitized)
        names = {"demand", "blaze", "xqueue_nowait", "ompi", "sherwood"};
    return ::testing::ValuesIn(names);
}

}  // namespace teff::testing
