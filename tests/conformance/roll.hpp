// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds tasks that were called twice or never.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <vector>

namespace conformance {

// Tasks with one identity each.
class roll {
public:
    explicit roll(std::size_t count) : called_(count) {}
    void call(std::size_t which) { called_[which].fetch_add(1); }
    void expect_called_once() const {
        for (const std::atomic<int>& each : called_)
            ASSERT_EQ(each.load(), 1);
    }

private:
    std::vector<std::atomic<int>> called_;
};

}  // namespace conformance
