// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The states of a full/empty variable, and the operations that wait, on threads without fibers.
#include <teff/frontends/threads/sync_var.hpp>

#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

TEST(sync_var, begins_empty_or_full) {
    const teff::sync_var<int> empty;
    EXPECT_FALSE(empty.is_full());
    EXPECT_EQ(empty.read_xx(), 0);
    const teff::sync_var<int> full(3);
    EXPECT_TRUE(full.is_full());
    EXPECT_EQ(full.read_xx(), 3);
}

TEST(sync_var, operations_leave_the_state_that_they_name) {
    teff::sync_var<int> value;
    value.write_ef(1);
    EXPECT_TRUE(value.is_full());
    EXPECT_EQ(value.read_ff(), 1);
    EXPECT_TRUE(value.is_full());
    value.write_ff(2);
    EXPECT_TRUE(value.is_full());
    EXPECT_EQ(value.read_fe(), 2);
    EXPECT_FALSE(value.is_full());
    EXPECT_EQ(value.read_xx(), 2);
    value.write_xf(3);
    EXPECT_TRUE(value.is_full());
    value.write_xf(4);
    EXPECT_EQ(value.read_xx(), 4);
    value.reset();
    EXPECT_FALSE(value.is_full());
    EXPECT_EQ(value.read_xx(), 0);
    EXPECT_EQ(value.check_invariants(), nullptr);
}

struct pair_of_longs {
    long first, second;
    bool operator==(const pair_of_longs&) const = default;
};

TEST(sync_var, holds_values_of_several_words) {
    teff::sync_var<pair_of_longs> value;
    value.write_ef({1, 2});
    EXPECT_EQ(value.read_fe(), (pair_of_longs{1, 2}));
}

// Each operation waits in a thread of its own until this thread changes the state.
TEST(sync_var, wakes_what_waits) {
    teff::sync_var<int> value;
    std::optional<int> taken;
    std::thread reader([&] { taken = value.read_fe(); });
    value.write_xf(5);
    reader.join();
    EXPECT_EQ(taken, 5);
    EXPECT_FALSE(value.is_full());

    value.write_ef(6);
    std::thread writer([&] { value.write_ef(7); });
    value.reset();
    writer.join();
    EXPECT_EQ(value.read_ff(), 7);

    value.reset();
    std::thread replacing([&] { value.write_ff(9); });
    value.write_ef(8);
    replacing.join();
    EXPECT_EQ(value.read_fe(), 9);
    EXPECT_EQ(value.check_invariants(), nullptr);
}

TEST(sync_var, one_value_wakes_all_that_leave_it_full) {
    teff::sync_var<int> value;
    std::vector<std::thread> readers;
    std::vector<int> seen(8);
    for (int& each : seen)
        readers.emplace_back([&] { each = value.read_ff(); });
    value.write_ef(4);
    for (std::thread& each : readers)
        each.join();
    EXPECT_EQ(seen, std::vector<int>(8, 4));
}

}  // namespace

// A variable that is written once: its states, and the message for a second write.

namespace {

TEST(single_var, begins_empty_or_full) {
    const teff::single_var<int> empty;
    EXPECT_FALSE(empty.is_full());
    EXPECT_EQ(empty.read_xx(), 0);
    teff::single_var<int> full(3);
    EXPECT_TRUE(full.is_full());
    EXPECT_EQ(full.read_ff(), 3);
    EXPECT_THROW(full.write_ef(4), std::logic_error);
}

TEST(single_var, a_read_waits_for_the_write) {
    teff::single_var<int> value;
    int seen = 0;
    std::thread reader([&] { seen = value.read_ff(); });
    value.write_ef(5);
    reader.join();
    EXPECT_EQ(seen, 5);
    EXPECT_EQ(value.read_ff(), 5);
}

TEST(single_var, a_second_write_is_an_error_and_changes_nothing) {
    teff::single_var<int> value;
    value.write_ef(1);
    std::string complaint;
    try {
        value.write_ef(2);
    } catch (const std::logic_error& error) {
        complaint = error.what();
    }
    EXPECT_NE(complaint.find("written a second time"), std::string::npos) << complaint;
    EXPECT_NE(complaint.find("Use a sync_var"), std::string::npos) << complaint;
    EXPECT_EQ(value.read_ff(), 1);
}

}  // namespace
