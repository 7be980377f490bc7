// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table finds all added addresses, also after it has grown, and is emptied only while no child is unfinished.
#include <teff/frontends/openmp/core/tasks/dependence_table.hpp>

#include <teff/depend/every_tracker.hpp>
#include <teff/depend/tracker.hpp>
#include <teff/frontends/openmp/core/teams/place.hpp>

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace {

using namespace teff::openmp;
using teff::depend::access_kind;

constexpr unsigned many = 5000;
char places[many];

tracked_address& add_one(dependence_table& table, void* address) {
    table.reserve(1);
    return table.add(address);
}

TEST(openmp_dependence_table, finds_what_was_added) {
    family of;
    const place caller;
    dependence_table table(of, caller);
    EXPECT_EQ(table.find(&places[0]), nullptr);
    tracked_address& first = add_one(table, &places[0]);
    EXPECT_EQ(first.address, &places[0]);
    EXPECT_EQ(table.find(&places[0]), &first);
    EXPECT_EQ(&add_one(table, &places[0]), &first);
    EXPECT_NE(&add_one(table, &places[1]), &first);
    EXPECT_EQ(table.size(), 2U);
    for (const access_kind kind :
         {access_kind::in, access_kind::inout, access_kind::commutative, access_kind::concurrent})
        EXPECT_TRUE(table.can_start(first, kind));
}

// The number of threads is the team's, whatever number the pool has.
TEST(openmp_dependence_table, has_the_tracker_for_the_number_of_threads) {
    using namespace teff::depend;
    family of;
    for (const unsigned threads : {1U, 2U, 3U, 16U}) {
        place caller;
        caller.size = threads;
        dependence_table table(of, caller);
        EXPECT_EQ(dynamic_cast<tracker_of<list>*>(&table.tracker()) != nullptr, threads <= 2) << threads;
        EXPECT_EQ(dynamic_cast<tracker_of<embedded_hypergraph>*>(&table.tracker()) != nullptr, threads > 2) << threads;
    }
}

TEST(openmp_dependence_table, objects_stay_where_they_are_when_it_grows) {
    family of;
    of.unfinished.count_up();
    const place caller;
    dependence_table table(of, caller);
    std::vector<tracked_address*> added;
    for (char& each : places)
        added.push_back(&add_one(table, &each));
    EXPECT_EQ(table.size(), many);
    for (unsigned i = 0; i != many; ++i)
        EXPECT_EQ(table.find(&places[i]), added[i]);
    std::set<const void*> visited;
    table.visit_all([&](tracked_address& each) { visited.insert(each.address); });
    EXPECT_EQ(visited.size(), many);
    of.unfinished.count_down();
}

TEST(openmp_dependence_table, is_emptied_when_no_child_is_unfinished) {
    family of;
    const place caller;
    dependence_table table(of, caller);
    for (char& each : places)
        add_one(table, &each);
    EXPECT_LT(table.size(), 100U);
    // The addresses that were added after that are found.
    EXPECT_NE(table.find(&places[many - 1]), nullptr);
}

TEST(openmp_dependence_table, keeps_room_for_what_was_reserved) {
    family of;
    const place caller;
    dependence_table table(of, caller);
    for (unsigned i = 0; i != 20; ++i)
        add_one(table, &places[i]);
    table.reserve(200);
    std::vector<tracked_address*> added;
    for (unsigned i = 100; i != 300; ++i)
        added.push_back(&table.add(&places[i]));
    for (unsigned i = 100; i != 300; ++i)
        EXPECT_EQ(table.find(&places[i]), added[i - 100]);
}

}  // namespace
