// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Examples, and properties for every number of threads and places.
#include <teff/frontends/openmp/core/affinity/binding.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {

using namespace teff::openmp;

std::vector<int> places_of(binding policy, unsigned size, const cpu_position& opener) {
    std::vector<int> places;
    for (unsigned number = 0; number < size; ++number)
        places.push_back(position_of(policy, number, size, opener).place);
    return places;
}
cpu_position at(int place, int count, int first = 0) { return {place, {first, count}}; }

using list = std::vector<int>;

TEST(openmp_distribution, close_is_one_after_the_other) {
    EXPECT_EQ(places_of(binding::close, 4, at(2, 8)), (list{2, 3, 4, 5}));
    EXPECT_EQ(places_of(binding::close, 4, at(2, 5)), (list{2, 3, 4, 0}));
    EXPECT_EQ(places_of(binding::any, 3, at(4, 3, 3)), (list{4, 5, 3}));
    EXPECT_EQ(places_of(binding::close, 6, at(2, 3)), (list{2, 2, 0, 0, 1, 1}));
    EXPECT_EQ(places_of(binding::close, 5, at(0, 2)), (list{0, 0, 1, 1, 0}));
}

TEST(openmp_distribution, primary_is_all_in_one_place) {
    EXPECT_EQ(places_of(binding::primary, 3, at(1, 4)), (list{1, 1, 1}));
    EXPECT_EQ(position_of(binding::primary, 2, 3, at(1, 4)), at(1, 4));
}

TEST(openmp_distribution, spread_divides_the_partition) {
    EXPECT_EQ(places_of(binding::spread, 4, at(0, 8)), (list{0, 2, 4, 6}));
    EXPECT_EQ(places_of(binding::spread, 4, at(2, 7)), (list{2, 4, 6, 0}));
    EXPECT_EQ(places_of(binding::spread, 4, at(3, 8)), (list{3, 4, 6, 0}));
    EXPECT_EQ(places_of(binding::spread, 5, at(0, 3)), (list{0, 1, 2, 0, 1}));
    EXPECT_EQ(position_of(binding::spread, 0, 4, at(3, 8)), at(3, 2, 2));
    EXPECT_EQ(position_of(binding::spread, 3, 4, at(2, 7)), at(0, 2, 0));
    EXPECT_EQ(position_of(binding::spread, 2, 4, at(0, 7)), at(4, 2, 4));
    EXPECT_EQ(position_of(binding::spread, 0, 1, at(2, 7)), at(2, 7));
    EXPECT_EQ(position_of(binding::spread, 4, 5, at(0, 3)), at(1, 1, 1));
}

TEST(openmp_distribution, without_a_place_or_a_policy_nothing_is_bound) {
    EXPECT_EQ(position_of(binding::close, 1, 2, at(-1, 4)), at(-1, 4));
    EXPECT_EQ(position_of(binding::spread, 1, 2, {}), cpu_position());
    EXPECT_EQ(position_of(binding::none, 1, 2, at(3, 4)), at(-1, 4));
}

TEST(openmp_distribution, a_team_has_a_part_of_the_places_if_its_threads_fit) {
    using teff::openmp::position_of_team;
    const cpu_position opener = at(1, 4);
    EXPECT_EQ(position_of_team(binding::spread, 1, 2, 2, opener), position_of(binding::spread, 1, 2, opener));
    EXPECT_EQ(position_of_team(binding::spread, 1, 2, 3, opener), opener);
    EXPECT_EQ(position_of_team(binding::spread, 0, 1, teff::openmp::no_limit, opener), opener);
    EXPECT_EQ(position_of_team(binding::close, 2, 4, teff::openmp::no_limit, opener), at(3, 4));
    EXPECT_EQ(position_of_team(binding::primary, 2, 4, 1, opener), opener);
    EXPECT_EQ(position_of_team(binding::none, 2, 4, 1, opener), opener);
}

// Member 0 stays. Every place of the partition gets nearly the same number of threads. The parts of `spread` are
// disjoint, and each has the place of its thread.
void check_all_members(binding policy, unsigned size, const cpu_position& opener) {
    const place_range& whole = opener.partition;
    const auto count = static_cast<unsigned>(whole.count);
    const bool divides = policy == binding::spread && size <= count;
    std::vector<int> threads(count), owners(count);
    for (unsigned number = 0; number < size; ++number) {
        const cpu_position got = position_of(policy, number, size, opener);
        const place_range& part = got.partition;
        ASSERT_TRUE(got.place >= part.first && got.place < part.first + part.count);
        ASSERT_TRUE(part.first >= whole.first && part.first + part.count <= whole.first + whole.count);
        ++threads[static_cast<unsigned>(got.place - whole.first)];
        for (int place = 0; place < part.count; ++place)
            ++owners[static_cast<unsigned>(part.first - whole.first + place)];
        ASSERT_TRUE(divides || part.count == (policy == binding::spread ? 1 : whole.count));
        ASSERT_TRUE(number != 0 || got.place == opener.place);
    }
    const auto [least, most] = std::minmax_element(threads.begin(), threads.end());
    ASSERT_LE(*most - *least, 1);
    ASSERT_TRUE(!divides || owners == std::vector<int>(count, 1));
}

TEST(openmp_distribution, is_even_for_all_sizes) {
    for (int count = 1; count <= 9; ++count)
        for (int start = 0; start < count; ++start)
            for (unsigned size = 1; size <= 20; ++size)
                for (const binding policy : {binding::close, binding::spread, binding::any}) {
                    SCOPED_TRACE(testing::Message() << size << " threads from " << start << " of " << count);
                    check_all_members(policy, size, at(10 + start, count, 10));
                }
}

}  // namespace
