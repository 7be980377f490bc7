// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Items are found, never move, and go in the order of a stack; a move that throws leaves nothing behind.
#include <teff/queue/kept_items.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <utility>

namespace {

// An item whose move throws if it is told to, and which knows where it is.
struct pinned {
    explicit pinned(int of, bool is_bad = false) : number(of), throws(is_bad) {}
    pinned(pinned&& from) : number(std::exchange(from.number, -1)), throws(from.throws), here(this) {
        if (throws) {
            from.number = number;
            throw std::runtime_error("move");
        }
        ++alive;
    }
    ~pinned() { alive -= here == this ? 1 : 0; }

    static inline int alive = 0;
    int number;
    bool throws;
    const pinned* here = nullptr;
};

TEST(kept_items, are_found_by_their_index_and_never_move) {
    {
        teff::kept_items<pinned> items;
        EXPECT_TRUE(items.empty());
        for (int i = 0; i < 1000; ++i)
            items.add(pinned(i));
        EXPECT_EQ(items.size(), 1000U);
        EXPECT_EQ(pinned::alive, 1000);
        for (int i = 0; i < 1000; ++i) {
            pinned& item = items[static_cast<std::size_t>(i)];
            EXPECT_EQ(item.number, i);
            EXPECT_EQ(item.here, &item);
        }
    }
    EXPECT_EQ(pinned::alive, 0);
}

TEST(kept_items, are_a_stack) {
    teff::kept_items<std::unique_ptr<int>> items;
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 100; ++i)
            items.add(std::make_unique<int>(i));
        for (int i = 100; i-- > 0; items.remove_last())
            EXPECT_EQ(*items.last(), i);
        EXPECT_TRUE(items.empty());
    }
}

TEST(kept_items, a_move_that_throws_adds_nothing) {
    teff::kept_items<pinned> items;
    for (int i = 0; i < 16; ++i)
        items.add(pinned(i));
    pinned bad(16, true);
    EXPECT_THROW(items.add(std::move(bad)), std::runtime_error);
    EXPECT_EQ(bad.number, 16);
    EXPECT_EQ(items.size(), 16U);
    items.add(pinned(17));
    EXPECT_EQ(items.last().number, 17);
    EXPECT_EQ(pinned::alive, 17);
}

}  // namespace
