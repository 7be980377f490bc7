// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests split_deque step by step on one thread and checks its invariants after each step. Concurrent threads are tested
// in tests/stress.
#include <teff/queue/split_deque.hpp>

#include <tests/conformance/tracked.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using conformance::failure;
using item = conformance::tracked<>;
using numbers = std::vector<std::uint32_t>;

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

// A deque together with its owner's cursor, `top`.
template <class T>
class owned_deque {
public:
    explicit owned_deque(std::size_t limit = no_limit) : limit_(limit) {
        EXPECT_TRUE(deque.open());
        top = deque.bottom();
        check();
    }
    owned_deque(const owned_deque&) = delete;
    owned_deque& operator=(const owned_deque&) = delete;
    ~owned_deque() { top = deque.drop_all(top); }

    // Returns false if there is no room within the limit.
    bool push(std::uint32_t number) {
        ::new (static_cast<void*>(top)) T(number);
        ++top;
        const bool is_taken = deque.push_is_private(top) || finish_push();
        check();
        return is_taken;
    }
    std::uint32_t pop() {
        --top;
        const std::uint32_t number = top->number();
        std::destroy_at(top);
        check();
        return number;
    }
    // For an item that the deque can give away meanwhile; false: there is none.
    bool claim(std::uint32_t& number) {
        if (!pop_is_private()) {
            const slow_operation alone(deque, top);
            deque.disarm(limit_);
            if (deque.private_size(top) == 0)
                return false;
        }
        number = pop();
        return true;
    }
    numbers pop_all() {
        numbers result;
        while (deque.private_size(top) != 0)
            result.push_back(pop());
        return result;
    }
    bool expose(std::size_t count) {
        const slow_operation alone(deque, top);
        const bool exposed = deque.expose(top, count);
        deque.bottom_moved();
        check();
        return exposed;
    }
    unsigned steal_from(owned_deque& victim, unsigned shares) {
        EXPECT_EQ(deque.private_size(top), 0U);
        const slow_operation alone(deque, top);
        top = deque.restart();
        const auto taken = victim.deque.steal_into(deque, shares);
        EXPECT_FALSE(taken.contended);
        EXPECT_EQ(taken.left, victim.deque.visible());
        top = deque.bottom() + taken.count;
        check();
        victim.check();
        return taken.count;
    }
    // Whether the marks let a push or a pop through. (Neither is done.)
    bool push_is_private() { return deque.push_is_private(top); }
    bool pop_is_private() {
        T* copy = top;
        const bool is_claimed = deque.try_claim(copy);
        EXPECT_EQ(copy, is_claimed ? top - 1 : top);
        if (is_claimed)
            static_cast<void>(push_is_private());  // announces `top` again
        else
            EXPECT_EQ(deque.hidden_estimate(), deque.private_size(top));
        return is_claimed;
    }
    void check() const { deque.check_invariants(top); }

    teff::split_deque<T> deque;
    T* top = nullptr;

private:
    using slow_operation = typename teff::split_deque<T>::slow_operation;

    bool finish_push() {
        const slow_operation alone(deque, top);
        if (deque.private_size(top) > limit_) {
            std::destroy_at(--top);
            return false;
        }
        try {
            top = deque.make_room(top);
        } catch (...) {
            top = deque.bottom();
            check();
            throw;
        }
        deque.disarm(limit_);
        return true;
    }

    std::size_t limit_;
};

template <class T>
void push_range(owned_deque<T>& own, std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t number = first; number < first + count; ++number)
        ASSERT_TRUE(own.push(number));
}

numbers counted_down(std::uint32_t first, std::uint32_t count) {
    numbers result;
    for (std::uint32_t i = count; i-- > 0;)
        result.push_back(first + i);
    return result;
}

class split_deque : public testing::Test {
protected:
    void TearDown() override { item::expect_none_alive(); }
};

TEST_F(split_deque, starts_armed_so_that_the_first_operation_looks_around) {
    owned_deque<item> own;
    EXPECT_FALSE(own.push_is_private());
    EXPECT_FALSE(own.pop_is_private());
    EXPECT_EQ(own.deque.private_size(own.top), 0U);
    EXPECT_EQ(own.deque.visible(), 0U);
}

TEST_F(split_deque, disarmed_marks_are_the_bounds_of_the_private_items) {
    owned_deque<item> own;
    own.deque.disarm(no_limit);
    EXPECT_TRUE(own.push_is_private());
    EXPECT_FALSE(own.pop_is_private());
    push_range(own, 0, 3);
    EXPECT_TRUE(own.pop_is_private());
    EXPECT_EQ(own.pop_all(), counted_down(0, 3));
    EXPECT_FALSE(own.pop_is_private());
}

TEST_F(split_deque, a_request_arms_push_and_pop_until_it_is_answered) {
    owned_deque<item> own;
    push_range(own, 0, 4);
    own.deque.ask();
    EXPECT_FALSE(own.push_is_private());
    EXPECT_FALSE(own.pop_is_private());
    own.deque.disarm(no_limit);
    EXPECT_TRUE(own.push_is_private());
    EXPECT_TRUE(own.pop_is_private());
    own.deque.arm_push();
    EXPECT_FALSE(own.push_is_private());
    EXPECT_TRUE(own.pop_is_private());
    own.deque.ask();
    EXPECT_FALSE(own.pop_is_private());
}

TEST_F(split_deque, a_request_survives_a_moved_bottom) {
    owned_deque<item> own;
    push_range(own, 0, 4);
    own.deque.disarm(no_limit);
    own.deque.ask();
    EXPECT_TRUE(own.expose(2));
    EXPECT_FALSE(own.pop_is_private());
    own.deque.disarm(no_limit);
    EXPECT_TRUE(own.pop_is_private());
    own.pop();
    EXPECT_TRUE(own.pop_is_private());
    own.pop();
    EXPECT_FALSE(own.pop_is_private());
}

TEST_F(split_deque, each_mark_can_be_armed_alone) {
    owned_deque<item> own;
    push_range(own, 0, 3);
    own.deque.disarm(no_limit);
    own.deque.arm_pop();
    EXPECT_TRUE(own.push_is_private());
    EXPECT_FALSE(own.pop_is_private());
    own.deque.disarm(no_limit);
    own.deque.arm_push();
    EXPECT_FALSE(own.push_is_private());
    EXPECT_TRUE(own.pop_is_private());
}

TEST_F(split_deque, exposing_moves_the_low_mark) {
    owned_deque<item> own;
    push_range(own, 0, 3);
    own.deque.disarm(no_limit);
    EXPECT_TRUE(own.expose(3));
    EXPECT_FALSE(own.pop_is_private());
    EXPECT_EQ(own.deque.private_size(own.top), 0U);
}

TEST_F(split_deque, exposes_the_oldest) {
    owned_deque<item> own, thief;
    EXPECT_FALSE(own.expose(1));
    push_range(own, 0, 10);
    EXPECT_FALSE(own.expose(0));
    EXPECT_TRUE(own.expose(4));
    EXPECT_EQ(own.deque.visible(), 4U);
    EXPECT_EQ(own.deque.shared_size(), 4U);
    EXPECT_TRUE(own.expose(1));
    EXPECT_EQ(thief.steal_from(own, 1), 5U);
    EXPECT_EQ(thief.pop_all(), counted_down(0, 5));
    EXPECT_TRUE(own.expose(100));
    EXPECT_EQ(own.deque.visible(), 5U);
    EXPECT_EQ(own.deque.private_size(own.top), 0U);
}

TEST_F(split_deque, never_exposes_more_than_the_shared_part_holds) {
    constexpr std::uint32_t capacity = teff::shared_part<item>::capacity;
    owned_deque<item> own;
    push_range(own, 0, 3 * capacity);
    EXPECT_TRUE(own.expose(3 * capacity));
    EXPECT_EQ(own.deque.visible(), capacity);
    EXPECT_FALSE(own.expose(1));
    EXPECT_EQ(own.pop_all(), counted_down(capacity, 2 * capacity));
}

TEST_F(split_deque, takes_the_newest_shared_items_back) {
    owned_deque<item> own, thief;
    push_range(own, 0, 8);
    EXPECT_TRUE(own.expose(8));
    own.top = own.deque.restart();
    own.top = own.deque.take_back(3);
    own.deque.bottom_moved();
    own.check();
    EXPECT_EQ(own.pop_all(), counted_down(5, 3));
    EXPECT_EQ(thief.steal_from(own, 2), 3U);
    own.top = own.deque.restart();
    own.top = own.deque.take_back(100);
    own.check();
    EXPECT_EQ(own.pop_all(), counted_down(3, 2));
    EXPECT_EQ(thief.pop_all(), counted_down(0, 3));
}

TEST_F(split_deque, grows_and_keeps_the_order) {
    owned_deque<item> own;
    push_range(own, 0, 2000);
    EXPECT_EQ(own.deque.private_size(own.top), 2000U);
    EXPECT_EQ(own.pop_all(), counted_down(0, 2000));
}

// A producer whose oldest items are always stolen needs no larger array: the bottom returns to the array's start.
TEST_F(split_deque, moves_its_items_down_instead_of_growing) {
    constexpr std::uint32_t burst = 4;
    owned_deque<item> own, thief;
    push_range(own, 0, burst);
    std::vector<const item*> bottoms;
    for (std::uint32_t next = burst; next < 100 * burst; next += burst) {
        ASSERT_TRUE(own.expose(burst));
        push_range(own, next, burst);
        ASSERT_EQ(thief.steal_from(own, 1), burst);
        ASSERT_EQ(thief.pop_all(), counted_down(next - burst, burst));
        bottoms.push_back(own.deque.bottom());
    }
    const auto [lowest, highest] = std::minmax_element(bottoms.begin(), bottoms.end());
    EXPECT_LE(*highest - *lowest, static_cast<std::ptrdiff_t>(2 * teff::shared_part<item>::capacity));
    EXPECT_EQ(own.pop_all(), counted_down(99 * burst, burst));
}

TEST_F(split_deque, refuses_beyond_the_limit) {
    owned_deque<item> own(10);
    push_range(own, 0, 10);
    EXPECT_FALSE(own.push(10));
    EXPECT_EQ(own.deque.private_size(own.top), 10U);
    EXPECT_EQ(own.pop(), 9U);
    EXPECT_TRUE(own.push(9));
    EXPECT_TRUE(own.expose(4));
    push_range(own, 10, 4);
    EXPECT_FALSE(own.push(14));
    EXPECT_EQ(own.pop_all(), counted_down(4, 10));
}

TEST_F(split_deque, the_high_mark_respects_the_limit) {
    owned_deque<item> own(3);
    own.deque.disarm(3);
    for (std::uint32_t number = 0; number < 3; ++number) {
        ASSERT_TRUE(own.push(number));
        EXPECT_TRUE(own.push_is_private());
    }
    EXPECT_FALSE(own.deque.push_is_private(own.top + 1));
}

TEST_F(split_deque, drops_private_and_shared_items) {
    owned_deque<item> own;
    push_range(own, 0, 20);
    EXPECT_TRUE(own.expose(7));
    own.top = own.deque.drop_all(own.top);
    own.check();
    EXPECT_EQ(item::alive.load(), 0);
    EXPECT_EQ(own.deque.visible(), 0U);
    push_range(own, 0, 3);
    EXPECT_TRUE(own.expose(1));
    EXPECT_EQ(own.pop_all(), counted_down(1, 2));
}

TEST_F(split_deque, opens_again_for_the_next_member) {
    owned_deque<item> own;
    push_range(own, 0, 100);
    EXPECT_EQ(own.pop_all().size(), 100U);
    ASSERT_TRUE(own.deque.open());
    own.top = own.deque.bottom();
    own.check();
    EXPECT_FALSE(own.push_is_private());
    push_range(own, 0, 3);
    EXPECT_EQ(own.pop_all(), counted_down(0, 3));
}

// In this test and the next two a move throws: the first, a middle or the last one during growth, compaction and
// exposure, and a middle one during taking back.
TEST_F(split_deque, a_failing_move_loses_the_private_items_and_nothing_else) {
    constexpr std::uint32_t full = 2 * teff::shared_part<item>::capacity;
    for (const long at : {1L, 5L, long{full}}) {
        owned_deque<item> own;
        push_range(own, 0, full - 1);
        item::moves.set(at);
        EXPECT_THROW(own.push(full), failure) << "growing";
        EXPECT_TRUE(item::moves.reached());
        EXPECT_EQ(item::alive.load(), 0);
        EXPECT_EQ(own.deque.private_size(own.top), 0U);
        push_range(own, 0, 5);
        EXPECT_EQ(own.pop_all(), counted_down(0, 5));
    }
    for (const long at : {1L, 5L, 8L}) {
        owned_deque<item> own, thief;
        push_range(own, 0, full - 1);
        for (std::uint32_t gone = 0; gone < full - 8;) {
            ASSERT_TRUE(own.expose(std::min<std::size_t>(full - 8 - gone, teff::shared_part<item>::capacity)));
            gone += thief.steal_from(own, 1);
            static_cast<void>(thief.pop_all());
        }
        item::moves.set(at);
        EXPECT_THROW(own.push(full), failure) << "moving down";
        EXPECT_TRUE(item::moves.reached());
        EXPECT_EQ(item::alive.load(), 0);
        push_range(own, 0, 5);
        EXPECT_EQ(own.pop_all(), counted_down(0, 5));
    }
}

TEST_F(split_deque, a_failing_exposure_loses_the_exposed_items_and_nothing_else) {
    for (const long at : {1L, 2L, 4L}) {
        owned_deque<item> own;
        push_range(own, 0, 6);
        item::moves.set(at);
        EXPECT_THROW(own.expose(4), failure);
        EXPECT_TRUE(item::moves.reached());
        own.check();
        EXPECT_EQ(own.deque.visible(), 0U);
        EXPECT_EQ(own.pop_all(), counted_down(4, 2));
    }
}

TEST_F(split_deque, a_failing_take_back_loses_what_was_taken) {
    owned_deque<item> own, thief;
    push_range(own, 0, 6);
    EXPECT_TRUE(own.expose(6));
    own.top = own.deque.restart();
    item::moves.set(2);
    EXPECT_THROW(own.deque.take_back(3), failure);
    EXPECT_TRUE(item::moves.reached());
    own.check();
    EXPECT_EQ(item::alive.load(), 3);
    EXPECT_EQ(thief.steal_from(own, 1), 3U);
    EXPECT_EQ(thief.pop_all(), counted_down(0, 3));
}

TEST_F(split_deque, force_exposes_what_an_owner_does_not_come_to) {
    if (!teff::heavy_fence())
        GTEST_SKIP() << "the kernel does not allow membarrier";
    owned_deque<item> own, thief;
    EXPECT_FALSE(own.deque.expose_by_force());
    push_range(own, 0, 5);
    EXPECT_EQ(own.deque.hidden_estimate(), 5U);
    EXPECT_TRUE(own.deque.expose_by_force());
    EXPECT_EQ(own.deque.hidden_estimate(), 0U);
    EXPECT_FALSE(own.deque.expose_by_force());
    EXPECT_EQ(thief.steal_from(own, 2), 3U);
    EXPECT_EQ(thief.pop_all(), counted_down(0, 3));
    std::uint32_t number = 0;
    EXPECT_FALSE(own.claim(number)) << "the owner found an item that others can take";
    own.top = own.deque.restart();
    own.top = own.deque.take_back(2);
    EXPECT_EQ(own.pop_all(), counted_down(3, 2));
}

TEST_F(split_deque, force_leaves_what_there_is_no_room_for) {
    if (!teff::heavy_fence())
        GTEST_SKIP() << "the kernel does not allow membarrier";
    constexpr std::uint32_t capacity = teff::shared_part<item>::capacity;
    owned_deque<item> own;
    push_range(own, 0, capacity + 2);
    EXPECT_TRUE(own.deque.expose_by_force());
    EXPECT_EQ(own.deque.visible(), capacity);
    EXPECT_FALSE(own.deque.expose_by_force());
    EXPECT_EQ(own.pop_all(), counted_down(capacity, 2));
}

TEST_F(split_deque, force_waits_for_a_slow_operation_of_the_owner) {
    if (!teff::heavy_fence())
        GTEST_SKIP() << "the kernel does not allow membarrier";
    owned_deque<item> own;
    push_range(own, 0, 5);
    {
        const teff::split_deque<item>::slow_operation alone(own.deque, own.top);
        EXPECT_FALSE(own.deque.expose_by_force());
    }
    EXPECT_TRUE(own.deque.expose_by_force());
    EXPECT_EQ(own.deque.visible(), 5U);
}

template <class T>
class split_deque_of : public testing::Test {};

using item_types = testing::Types<std::unique_ptr<int>, conformance::tracked<256>, conformance::tracked<8, 1024>, char>;

struct item_type_names {
    template <class T>
    static std::string GetName(int index) {
        constexpr const char* names[] = {"move_only", "over_aligned", "big", "one_byte"};
        return names[index];
    }
};
TYPED_TEST_SUITE(split_deque_of, item_types, item_type_names);

template <class T>
T make(int number) {
    if constexpr (std::is_same_v<T, std::unique_ptr<int>>)
        return std::make_unique<int>(number);
    else if constexpr (std::is_same_v<T, char>)
        return static_cast<char>(number);
    else
        return T(static_cast<std::uint32_t>(number));
}

int number_of(const std::unique_ptr<int>& value) { return *value; }
int number_of(char value) { return value; }
template <std::size_t Alignment, std::size_t Padding>
int number_of(const conformance::tracked<Alignment, Padding>& value) {
    return static_cast<int>(value.number());
}

TYPED_TEST(split_deque_of, keeps_every_type_of_item) {
    constexpr int count = 100;
    teff::split_deque<TypeParam> deque, other;
    ASSERT_TRUE(deque.open());
    ASSERT_TRUE(other.open());
    TypeParam* top = deque.bottom();
    for (int i = 0; i < count; ++i) {
        ::new (static_cast<void*>(top++)) TypeParam(make<TypeParam>(i));
        top = deque.make_room(top);
        ASSERT_NE(top, nullptr);
        deque.check_invariants(top);
    }
    ASSERT_TRUE(deque.expose(top, 3));
    TypeParam* other_top = other.restart();
    other_top += deque.steal_into(other, 1).count;
    other.check_invariants(other_top);
    ASSERT_EQ(other.private_size(other_top), 3U);
    for (int i = 3; i-- > 0;) {
        EXPECT_EQ(number_of(*--other_top), i);
        std::destroy_at(other_top);
    }
    for (int i = count; i-- > 50;) {
        EXPECT_EQ(number_of(*--top), i);
        std::destroy_at(top);
    }
    top = deque.drop_all(top);
    deque.check_invariants(top);
}

}  // namespace
