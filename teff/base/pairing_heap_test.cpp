// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements come out in order, whatever the order in which they came in and whenever some are taken.
#include <teff/base/pairing_heap.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

struct numbered : teff::heap_hook {
    std::uint64_t number = 0;
};
struct by_number {
    bool operator()(const numbered& a, const numbered& b) const noexcept { return a.number < b.number; }
};
using heap = teff::pairing_heap<numbered, by_number>;

TEST(pairing_heap, elements_come_out_in_order) {
    std::vector<numbered> elements(1000);
    for (std::size_t i = 0; i < elements.size(); ++i)
        elements[i].number = i * 7919 % 500;  // each number twice
    heap ordered;
    for (numbered& each : elements)
        ordered.add(each);
    for (std::size_t i = 0; i < elements.size(); ++i)
        ASSERT_EQ(ordered.take_first().number, i / 2);
    EXPECT_EQ(ordered.first(), nullptr);
}

// Elements are added again after they were taken, as by a program that sleeps in a loop.
TEST(pairing_heap, the_first_one_is_the_least_at_any_time) {
    std::vector<numbered> elements(50);
    std::vector<std::uint64_t> expected;
    heap ordered;
    std::uint64_t state = 1;
    const auto next = [&state] { return state = state * 6364136223846793005U + 1442695040888963407U; };
    const auto add = [&](numbered& each) {
        each.number = next() >> 40;
        ordered.add(each);
        expected.push_back(each.number);
    };
    for (numbered& each : elements)
        add(each);
    for (int times = 0; times < 2000; ++times) {
        const auto least = std::min_element(expected.begin(), expected.end());
        ASSERT_EQ(ordered.first()->number, *least);
        expected.erase(least);
        add(ordered.take_first());
    }
}

}  // namespace
