// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: reductions whose body is given at run time, so that all of them share one compiled reduction; small ones
// with a known answer; and a way to act on a chosen thread in the middle of one.
#pragma once

#include <tests/conformance/tracked.hpp>

#include <teff/options.hpp>
#include <teff/schedulers.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace teff::testing {

using enqueue = std::function<void(std::uint32_t)>;
using task_body = std::function<long(const enqueue&, std::uint32_t)>;

// Runs `body` on `first` and all that it enqueues; the tasks are conformance::tracked<> values with these numbers.
long reduce(const options& call, const task_body& body, std::uint32_t first = 0);
long reduce(const options& call, const task_body& body, const std::vector<std::uint32_t>& first);
// The same for `size` first tasks; first(i) makes the number of each just before it is enqueued.
using first_task = std::function<std::uint32_t(std::uint32_t)>;
long reduce(const options& call, const task_body& body, std::uint32_t size, const first_task& first);

// 2i + 1 and 2i + 2 follow i, below `size`; each task counts for one.
task_body tree_of(std::uint32_t size);

// Whether all tasks of a full binary tree were counted.
constexpr long tasks_of_tree(std::uint32_t depth) { return (2L << depth) - 1; }
bool counts_right(const options& call, std::uint32_t depth);

enum class thread_kind { caller, worker };

// Calls `act()` once, inside a task on a thread of the wanted kind, and returns whether every task was counted. The
// first task goes on enqueuing until a task got there, so it needs no luck, and then ends like the others; `call` must
// allow two threads or more.
bool act_inside_task(const options& call, thread_kind wanted, const std::function<void()>& act);

// A fixture whose parameter is the name of a scheduler.
class each_scheduler : public ::testing::TestWithParam<const char*> {
protected:
    options with_threads(long threads) const { return {.threads = threads, .scheduler = GetParam()}; }
};

inline std::string scheduler_case_name(const ::testing::TestParamInfo<const char*>& about) { return about.param; }

inline auto every_scheduler_name() {
    std::vector<const char*> names;
    for (const scheduler_traits& each : schedulers())
        names.push_back(each.name);
    return ::testing::ValuesIn(names);
}

}  // namespace teff::testing
