// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task keeps its number, and no two tasks have the same.
#include <teff/frontends/openmp/core/tasks/run.hpp>
#include <teff/frontends/openmp/core/tasks/submit.hpp>
#include <teff/frontends/openmp/core/teams/place.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <thread>
#include <vector>

namespace {

using teff::openmp::current_task_number;
using teff::openmp::current_thread_number;
using teff::openmp::new_task_number;

TEST(openmp_task_number, belongs_to_the_task) {
    const std::uint32_t mine = current_task_number();
    EXPECT_NE(mine, 0U);
    std::set<std::uint32_t> seen{mine};
    for (int i = 0; i < 3; ++i)
        teff::openmp::run_at_once(teff::openmp::this_place(), 0, [&] {
            const std::uint32_t number = current_task_number();
            EXPECT_TRUE(seen.insert(number).second);
            EXPECT_EQ(current_task_number(), number);
        });
    EXPECT_EQ(current_task_number(), mine);
}

TEST(openmp_task_number, is_given_once) {
    constexpr unsigned threads = 4, each = 5'000;
    std::vector<std::vector<std::uint32_t>> given(threads);
    std::vector<std::thread> all;
    for (auto& mine : given)
        all.emplace_back([&mine] {
            for (unsigned i = 0; i < each; ++i)
                mine.push_back(new_task_number());
        });
    for (std::thread& one : all)
        one.join();
    std::set<std::uint32_t> different;
    for (const auto& mine : given)
        different.insert(mine.begin(), mine.end());
    EXPECT_EQ(different.size(), std::size_t{threads} * each);
    EXPECT_EQ(different.count(0), 0U);
}

TEST(openmp_task_number, differs_between_living_threads) {
    const std::uint32_t mine = current_thread_number();
    std::uint32_t other = 0;
    std::thread([&other] { other = current_thread_number(); }).join();
    EXPECT_NE(mine, other);
    EXPECT_EQ(current_thread_number(), mine);
}

}  // namespace
