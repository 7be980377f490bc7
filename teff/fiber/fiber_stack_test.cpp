// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks are reused, have their sizes and their guards, and give their memory back. (tests/fault/ has systems that
// refuse guards.)
#include <teff/fiber/fiber_stack.hpp>
#include <teff/fiber/sanitizers.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <sys/mman.h>
#include <vector>

namespace {

TEST(fiber_stack, is_reused) {
    const teff::fiber_stack first = teff::take_fiber_stack(1 << 16);
    ASSERT_NE(first.lowest, nullptr);
    teff::give_back_fiber_stack(first);
    const teff::fiber_stack second = teff::take_fiber_stack(1 << 16);
    EXPECT_EQ(second.lowest, first.lowest);
    teff::give_back_fiber_stack(second);
}

TEST(fiber_stack, is_not_there_without_memory) {
    EXPECT_EQ(teff::take_fiber_stack(std::size_t{1} << 60).lowest, nullptr);
}

// By a signal, or by what a sanitizer says of it.
TEST(fiber_stack, ends_the_program_below_its_end) {
    const teff::fiber_stack stack = teff::take_fiber_stack(1 << 16);
    EXPECT_DEATH(*(static_cast<volatile char*>(stack.lowest) - 1) = 1, "");
    teff::give_back_fiber_stack(stack);
}

TEST(fiber_stack, has_at_least_the_size_that_was_asked_for) {
    constexpr std::size_t unit = 16 * 1024;
    for (std::size_t size = 1; size < std::size_t{1} << 27; size += size / 3 + 1000) {
        const teff::fiber_stack stack = teff::take_fiber_stack(size);
        ASSERT_NE(stack.lowest, nullptr) << size;
        EXPECT_GE(stack.size, size);
        EXPECT_LE(stack.size, size + size / 4 + unit);
        teff::give_back_fiber_stack(stack);
    }
}

std::byte* bytes_of(const teff::fiber_stack& stack) { return static_cast<std::byte*>(stack.lowest); }

TEST(fiber_stack, overlaps_no_other_one) {
    std::vector<teff::fiber_stack> stacks(2'000);
    std::set<std::uintptr_t> begins;
    for (teff::fiber_stack& each : stacks) {
        each = teff::take_fiber_stack(1);
        ASSERT_NE(each.lowest, nullptr);
        begins.insert(reinterpret_cast<std::uintptr_t>(each.lowest));
    }
    ASSERT_EQ(begins.size(), stacks.size());
    std::uintptr_t last_end = 0;
    for (const std::uintptr_t begin : begins) {
        EXPECT_GE(begin, last_end + teff::stack_guard_size);
        last_end = begin + stacks.front().size;
    }
    for (const teff::fiber_stack& each : stacks)
        teff::give_back_fiber_stack(each);
}

bool is_in_memory(const std::byte* page) {
    unsigned char answer = 0;
    return ::mincore(const_cast<std::byte*>(page), 1, &answer) == 0 && (answer & 1) != 0;
}

// More than are kept: the slab stays, since it has another stack.
TEST(fiber_stack, gives_its_memory_back) {
    constexpr std::size_t size = 48 * 1024;
    std::vector<teff::fiber_stack> stacks(teff::most_kept_fiber_stacks + 2);
    for (teff::fiber_stack& each : stacks) {
        each = teff::take_fiber_stack(size);
        ASSERT_NE(each.lowest, nullptr);
        std::memset(each.lowest, 1, each.size);
    }
    const teff::fiber_stack last = stacks.back();
    stacks.pop_back();
    for (const teff::fiber_stack& each : stacks)
        teff::give_back_fiber_stack(each);
    EXPECT_TRUE(is_in_memory(bytes_of(stacks.front())));
    EXPECT_FALSE(is_in_memory(bytes_of(stacks.back())));
    EXPECT_TRUE(is_in_memory(bytes_of(last)));
    teff::give_back_fiber_stack(last);
}

TEST(fiber_stack, with_a_canary_is_intact_until_its_end_is_overwritten) {
    const teff::fiber_stack stack = teff::take_fiber_stack(1);
    teff::fiber_stack without = stack;
    without.guard = teff::stack_guard::canary;
    teff::write_canary(without.lowest);
    bytes_of(without)[teff::canary_size] = std::byte{1};
    EXPECT_TRUE(teff::is_intact(without));
    bytes_of(without)[teff::canary_size - 1] ^= std::byte{1};
    EXPECT_FALSE(teff::is_intact(without));
    EXPECT_TRUE(teff::is_intact(stack));
    teff::give_back_fiber_stack(stack);
}

}  // namespace
