// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How tasks of different types become items. Where their memory comes from is tested by the conformance suites.
#include <teff/frontends/reduce/common_item.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

using teff::reducing::item_kind;
using teff::reducing::item_of;

template <std::size_t N>
struct plain_task {
    std::byte bytes[N];
};
struct alignas(32) aligned_task {
    int number;
};
static_assert(item_of<char>::kind == item_kind::bytes_8 && item_of<plain_task<8>>::kind == item_kind::bytes_8);
static_assert(item_of<plain_task<9>>::kind == item_kind::bytes_16);
static_assert(item_of<plain_task<17>>::kind == item_kind::bytes_32);
static_assert(item_of<plain_task<64>>::kind == item_kind::bytes_64);
static_assert(item_of<plain_task<65>>::kind == item_kind::owned);
static_assert(item_of<aligned_task>::kind == item_kind::owned && item_of<std::string>::kind == item_kind::owned);
static_assert(item_of<std::string>::has_room && !item_of<plain_task<65>>::has_room && !item_of<aligned_task>::has_room);

// Gives memory once, or none.
struct member_with_memory {
    void* given;
    int asked = 0;
    void* memory(std::size_t, std::size_t) {
        ++asked;
        return std::exchange(given, nullptr);
    }
};

TEST(common_item, of_plain_tasks_has_their_bytes) {
    member_with_memory by{nullptr};
    int taken = 0;
    item_of<std::array<int, 3>>::pass(by, std::array{1, 2, 3}, [&](auto& item) {
        auto moved = item;
        EXPECT_EQ((item_of<std::array<int, 3>>::task_in(moved.task())), (std::array{1, 2, 3}));
        ++taken;
    });
    EXPECT_EQ(taken, 1);
    EXPECT_EQ(by.asked, 0);
}

TEST(common_item, that_owns_its_task_moves_and_destroys_it) {
    using task = std::shared_ptr<int>;
    member_with_memory by{nullptr};
    const task kept = std::make_shared<int>(7);
    item_of<task>::pass(by, kept, [&](auto& item) {
        EXPECT_EQ(kept.use_count(), 2);
        auto moved = std::move(item);
        auto again = std::move(moved);
        EXPECT_EQ(*item_of<task>::task_in(again.task()), 7);
        EXPECT_EQ(kept.use_count(), 2);
    });
    EXPECT_EQ(kept.use_count(), 1);
    EXPECT_EQ(by.asked, 0);
}

TEST(common_item, without_memory_is_not_made) {
    using task = plain_task<100>;
    member_with_memory by{nullptr};
    item_of<task>::pass(by, task{}, [](auto&) { ADD_FAILURE() << "there was no memory"; });
    EXPECT_EQ(by.asked, 1);
}

}  // namespace
