// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests when a mailbox accepts a task, and which thread has the task afterwards.
#include <teff/queue/mailbox.hpp>

#include <gtest/gtest.h>

namespace {

struct task {};
using mailbox = teff::mailbox<task>;

TEST(mailbox, accepts_nothing_before_it_is_open) {
    mailbox box;
    task one;
    EXPECT_FALSE(box.is_open());
    EXPECT_FALSE(box.put(one));
    EXPECT_EQ(box.close(), nullptr);
}

TEST(mailbox, gives_its_owner_what_was_put_in_and_is_closed_then) {
    mailbox box;
    task one, two;
    box.open();
    EXPECT_TRUE(box.is_open());
    EXPECT_EQ(box.take(), nullptr);
    EXPECT_TRUE(box.is_open());
    EXPECT_TRUE(box.put(one));
    EXPECT_FALSE(box.is_open());
    EXPECT_FALSE(box.put(two));
    EXPECT_EQ(box.take(), &one);
    EXPECT_FALSE(box.is_open());
    EXPECT_FALSE(box.put(two));
}

TEST(mailbox, closes_with_or_without_a_task) {
    mailbox box;
    task one;
    box.open();
    EXPECT_EQ(box.close(), nullptr);
    EXPECT_FALSE(box.put(one));
    box.open();
    EXPECT_TRUE(box.put(one));
    EXPECT_EQ(box.close(), &one);
    EXPECT_EQ(box.close(), nullptr);
}

TEST(mailbox, gives_a_task_back_until_its_owner_has_it) {
    mailbox box;
    task one, two;
    box.open();
    EXPECT_TRUE(box.put(one));
    EXPECT_TRUE(box.retract(one));
    EXPECT_FALSE(box.put(two));
    EXPECT_EQ(box.take(), nullptr);
    EXPECT_TRUE(box.put(two));
    EXPECT_FALSE(box.retract(one));
    EXPECT_EQ(box.take(), &two);
    EXPECT_FALSE(box.retract(two));
}

}  // namespace
