// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests which items thieves and the owner get, when the shared part may be refilled, and what happens to items whose
// moves throw.
#include <teff/queue/shared_part.hpp>

#include <tests/conformance/tracked.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <thread>
#include <vector>

namespace {

using conformance::failure;
using item = conformance::tracked<>;
using shared_part = teff::shared_part<item>;

static_assert(teff::shared_part<char>::capacity == 64);
static_assert(teff::shared_part<std::array<char, 100>>::capacity == 40);
static_assert(teff::shared_part<std::array<char, 1024>>::capacity == 4);
static_assert(teff::shared_part<std::array<char, 100'000>>::capacity == 4);

// Raw memory with items in its first slots.
template <class T>
class raw_items {
public:
    raw_items() : memory_(static_cast<T*>(::operator new(sizeof(T) * room, std::align_val_t{alignof(T)}))) {}
    raw_items(const raw_items&) = delete;
    raw_items& operator=(const raw_items&) = delete;
    ~raw_items() {
        holds(0);
        ::operator delete(memory_, std::align_val_t{alignof(T)});
    }

    T* at() noexcept { return memory_; }
    T* make(unsigned first, unsigned count) {
        holds(0);
        for (; count_ < count; ++count_)
            ::new (static_cast<void*>(memory_ + count_)) T(first + count_);
        return memory_;
    }
    // Set how many items the memory holds, after the caller has moved items in or out. The destructor destroys them.
    void moved_here(unsigned count) noexcept { count_ = count; }
    void moved_away() noexcept { count_ = 0; }
    std::vector<std::uint32_t> numbers() const {
        std::vector<std::uint32_t> result;
        for (unsigned i = 0; i < count_; ++i)
            result.push_back(memory_[i].number());
        return result;
    }

private:
    void holds(unsigned count) noexcept {
        std::destroy_n(memory_ + count, count_ - count);
        count_ = count;
    }

    static constexpr unsigned room = teff::shared_part<T>::capacity;
    T* memory_;
    unsigned count_ = 0;
};

using numbers = std::vector<std::uint32_t>;

template <class T>
void publish(teff::shared_part<T>& shared, unsigned first, unsigned count) {
    raw_items<T> items;
    T* const from = items.make(first, count);
    items.moved_away();
    shared.publish(from, count);
    shared.check_invariants();
}

template <class T>
numbers take_oldest(teff::shared_part<T>& shared, unsigned shares) {
    raw_items<T> items;
    const auto taken = shared.take_oldest(items.at(), shares);
    items.moved_here(taken.count);
    shared.check_invariants();
    EXPECT_FALSE(taken.contended);
    EXPECT_EQ(taken.left, shared.size());
    return items.numbers();
}

template <class T>
numbers take_newest(teff::shared_part<T>& shared, unsigned at_most) {
    raw_items<T> items;
    items.moved_here(shared.take_newest(items.at(), at_most));
    shared.check_invariants();
    return items.numbers();
}

class shared_part_of_items : public testing::Test {
protected:
    void TearDown() override { item::expect_none_alive(); }
};

TEST_F(shared_part_of_items, starts_empty) {
    shared_part shared;
    shared.check_invariants();
    EXPECT_EQ(shared.size(), 0U);
    EXPECT_EQ(shared.room(), shared_part::capacity);
    EXPECT_TRUE(take_oldest(shared, 1).empty());
    EXPECT_TRUE(take_newest(shared, 5).empty());
}

TEST_F(shared_part_of_items, thieves_get_the_oldest_and_the_owner_the_newest) {
    shared_part shared;
    publish(shared, 10, 8);
    EXPECT_EQ(shared.size(), 8U);
    EXPECT_EQ(shared.room(), shared_part::capacity - 8);
    EXPECT_EQ(take_oldest(shared, 4), (numbers{10, 11}));
    EXPECT_EQ(take_newest(shared, 3), (numbers{15, 16, 17}));
    EXPECT_EQ(take_oldest(shared, 100), (numbers{12}));
    EXPECT_EQ(take_oldest(shared, 1), (numbers{13, 14}));
    EXPECT_EQ(shared.size(), 0U);
    EXPECT_EQ(shared.room(), shared_part::capacity);
}

TEST_F(shared_part_of_items, the_share_of_a_thief_is_rounded_up) {
    shared_part shared;
    publish(shared, 0, 5);
    EXPECT_EQ(take_oldest(shared, 2).size(), 3U);
    EXPECT_EQ(take_oldest(shared, 3).size(), 1U);
    EXPECT_EQ(take_oldest(shared, 3).size(), 1U);
    EXPECT_TRUE(take_oldest(shared, 3).empty());
}

TEST_F(shared_part_of_items, is_filled_again_and_again_up_to_its_capacity) {
    shared_part shared;
    for (unsigned round = 0; round < 100; ++round) {
        const unsigned count = 1 + round % shared_part::capacity;
        publish(shared, round, count);
        const unsigned own = round % 3 == 0 ? 0 : count / (round % 3);
        unsigned seen = static_cast<unsigned>(take_newest(shared, own).size());
        while (shared.size() != 0)
            seen += static_cast<unsigned>(take_oldest(shared, 2).size());
        EXPECT_EQ(seen, count);
        EXPECT_EQ(shared.room(), shared_part::capacity);
    }
}

TEST_F(shared_part_of_items, more_is_added_behind_what_is_there) {
    shared_part shared;
    publish(shared, 0, 4);
    publish(shared, 4, 2);
    EXPECT_EQ(shared.room(), shared_part::capacity - 6);
    EXPECT_EQ(take_oldest(shared, 2), (numbers{0, 1, 2}));
    EXPECT_EQ(take_newest(shared, 1), (numbers{5}));
    publish(shared, 6, shared_part::capacity - 5);
    EXPECT_EQ(shared.room(), 0U);
    EXPECT_EQ(take_oldest(shared, 1).size(), shared_part::capacity - 3);
    EXPECT_EQ(shared.room(), shared_part::capacity);
}

TEST_F(shared_part_of_items, what_is_left_is_destroyed) {
    shared_part dropped;
    publish(dropped, 0, 8);
    EXPECT_EQ(take_oldest(dropped, 4).size(), 2U);
    dropped.drop_all();
    dropped.check_invariants();
    EXPECT_EQ(item::alive.load(), 0);
    EXPECT_EQ(dropped.room(), shared_part::capacity);
    shared_part ended;
    publish(ended, 0, 8);
    EXPECT_EQ(take_newest(ended, 3).size(), 3U);
}

TEST_F(shared_part_of_items, a_failing_publication_shows_nothing) {
    for (const long at : {1L, 3L, 6L}) {
        shared_part shared;
        item::moves.set(at);
        EXPECT_THROW(publish(shared, 0, 6), failure);
        EXPECT_TRUE(item::moves.reached());
        shared.check_invariants();
        EXPECT_EQ(shared.size(), 0U);
        EXPECT_EQ(item::alive.load(), 0);
        publish(shared, 5, 1);
        EXPECT_EQ(take_oldest(shared, 1), (numbers{5}));
    }
}

TEST_F(shared_part_of_items, a_failing_theft_loses_the_items_it_won_and_no_others) {
    shared_part shared;
    publish(shared, 0, 8);
    item::moves.set(2);
    EXPECT_THROW(take_oldest(shared, 2), failure);
    EXPECT_TRUE(item::moves.reached());
    shared.check_invariants();
    EXPECT_EQ(shared.size(), 4U);
    EXPECT_EQ(item::alive.load(), 4);
    item::moves.set(1);
    EXPECT_THROW(take_newest(shared, 1), failure);
    EXPECT_TRUE(item::moves.reached());
    EXPECT_EQ(take_oldest(shared, 1), (numbers{4, 5, 6}));
    EXPECT_EQ(shared.room(), shared_part::capacity);
}

TEST(shared_part_of_aligned_items, keeps_their_alignment) {
    using aligned = conformance::tracked<256>;
    {
        teff::shared_part<aligned> shared;
        publish(shared, 0, teff::shared_part<aligned>::capacity);
        EXPECT_EQ(take_oldest(shared, 2).size(), teff::shared_part<aligned>::capacity / 2);
    }
    aligned::expect_none_alive();
}

// The owner publishes, takes back and refills while two thieves take; each number is seen once.
TEST_F(shared_part_of_items, gives_each_item_to_one_taker) {
    constexpr std::uint32_t total = 30'000;
    shared_part shared;
    std::vector<std::atomic<unsigned char>> seen(total);
    std::atomic<bool> over{false};
    const auto count = [&seen](const raw_items<item>& items) {
        for (const std::uint32_t number : items.numbers())
            seen[number].fetch_add(1);
    };
    std::vector<std::thread> thieves;
    for (unsigned shares = 1; shares <= 2; ++shares)
        thieves.emplace_back([&, shares] {
            while (!over.load()) {
                raw_items<item> items;
                const unsigned taken = shared.take_oldest(items.at(), shares).count;
                items.moved_here(taken);
                count(items);
                if (taken == 0)
                    std::this_thread::yield();
            }
        });
    for (std::uint32_t next = 0; next < total;) {
        if (const unsigned room = shared.room()) {
            const std::uint32_t some = std::min<std::uint32_t>(1 + next % room, total - next);
            raw_items<item> items;
            item* const from = items.make(next, some);
            items.moved_away();
            shared.publish(from, some);
            next += some;
        } else {
            std::this_thread::yield();
        }
        raw_items<item> back;
        back.moved_here(shared.take_newest(back.at(), next % 3));
        count(back);
    }
    while (shared.room() != shared_part::capacity)
        std::this_thread::yield();
    over.store(true);
    for (std::thread& each : thieves)
        each.join();
    shared.check_invariants();
    for (const auto& each : seen)
        ASSERT_EQ(each.load(), 1);
}

}  // namespace
