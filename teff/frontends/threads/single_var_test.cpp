// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variable that is written once: its states, and the message for a second write.
#include <teff/frontends/threads/single_var.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <thread>

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
