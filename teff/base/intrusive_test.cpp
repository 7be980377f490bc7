// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Order, removal at every place, and searching in lists; the order in which a heap gives its elements.
#include <teff/base/intrusive.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

struct element : teff::list_hook {
    explicit element(int its_value) : value(its_value) {}
    int value;
};

using list = teff::intrusive_list<element>;

std::vector<int> values_of(list& elements) {
    std::vector<int> values;
    elements.find([&](element& each) {
        values.push_back(each.value);
        return false;
    });
    return values;
}

TEST(intrusive_list, starts_empty) {
    list elements;
    EXPECT_TRUE(elements.empty());
    EXPECT_EQ(elements.find([](element&) { return true; }), nullptr);
}

TEST(intrusive_list, keeps_the_order) {
    list elements;
    element one{1}, two{2}, three{3};
    elements.push_back(two);
    elements.push_back(three);
    elements.push_front(one);
    EXPECT_FALSE(elements.empty());
    EXPECT_EQ(values_of(elements), (std::vector{1, 2, 3}));
}

TEST(intrusive_list, removes_the_first_a_middle_the_last_and_the_only_one) {
    list elements;
    element one{1}, two{2}, three{3};
    for (element* each : {&one, &two, &three})
        elements.push_back(*each);
    elements.remove(two);
    EXPECT_EQ(values_of(elements), (std::vector{1, 3}));
    elements.remove(one);
    EXPECT_EQ(values_of(elements), (std::vector{3}));
    elements.remove(three);
    EXPECT_TRUE(elements.empty());
    elements.push_front(three);
    elements.push_back(one);
    elements.remove(one);
    EXPECT_EQ(values_of(elements), (std::vector{3}));
}

TEST(intrusive_list, takes_a_removed_element_again) {
    list elements;
    element one{1}, two{2};
    elements.push_back(one);
    elements.push_back(two);
    elements.remove(one);
    elements.push_back(one);
    EXPECT_EQ(values_of(elements), (std::vector{2, 1}));
}

TEST(intrusive_list, finds_the_first_that_is_wanted) {
    list elements;
    element one{1}, two{2}, three{3};
    for (element* each : {&one, &two, &three})
        elements.push_back(*each);
    EXPECT_EQ(elements.find([](element& each) { return each.value >= 2; }), &two);
    EXPECT_EQ(elements.find([](element& each) { return each.value > 3; }), nullptr);
}

TEST(intrusive_list, forgets_its_elements) {
    list elements;
    element one{1};
    elements.push_back(one);
    elements.clear();
    EXPECT_TRUE(elements.empty());
    EXPECT_TRUE(values_of(elements).empty());
}

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
