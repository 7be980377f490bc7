// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the conformance tests of reductions share: every scheduler and reclaimer by name, and reductions whose body is
// given at run time, so that most tests share one compiled reduction per scheduler.
#pragma once

#include <tests/conformance/scheduler_types.hpp>
#include <tests/conformance/tracked.hpp>

#include <teff/options.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace conformance {

using task = tracked<>;
using enqueue = std::function<void(std::uint32_t)>;
using task_body = std::function<long(const enqueue&, std::uint32_t)>;

// Runs `body` on `first` and all that it enqueues; the tasks are tracked values with these numbers.
long reduce(const teff::options& call, const task_body& body, std::uint32_t first = 0);
long reduce(const teff::options& call, const task_body& body, const std::vector<std::uint32_t>& first);
// The same for `size` first tasks; first(i) makes the number of each just before it is enqueued.
using first_task = std::function<std::uint32_t(std::uint32_t)>;
long reduce(const teff::options& call, const task_body& body, std::uint32_t size, const first_task& first);

// 2i + 1 and 2i + 2 follow i, below `size`; each task counts for one.
task_body tree_of(std::uint32_t size);

// Whether a reduction of moderate size finds its sum: the pool works.
bool works(const teff::options& call);

// A fixture whose parameter is a scheduler with a reclaimer. Whatever a test does, no task may be left.
class each_choice : public testing::TestWithParam<named_row> {
protected:
    teff::options with_threads(long threads) const {
        return {.threads = threads, .scheduler = GetParam().scheduler, .reclaimer = GetParam().reclaimer};
    }
    void TearDown() override { task::expect_none_alive(); }
};

struct row_names {
    std::string operator()(const testing::TestParamInfo<named_row>& about) const { return about.param.name; }
};

inline constexpr long thread_counts[] = {1, 2, 5, 16, 64};

}  // namespace conformance
