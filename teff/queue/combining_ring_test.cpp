// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the capacity and the order of a ring, which node each participant has after a dequeue, and that cc_synch serves
// every request.
#include <teff/queue/combining_ring.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

namespace {

using ring = teff::combining_ring<int*>;

static_assert(sizeof(teff::combiner_node) == teff::false_sharing_range, "waiters have a line of their own");

class participant {
public:
    participant() : spare(teff::make_combiner_node()) { EXPECT_NE(spare, nullptr); }
    participant(const participant&) = delete;
    participant& operator=(const participant&) = delete;
    ~participant() { teff::destroy_combiner_node(spare); }

    // The number of the oldest item, or `none`.
    int take(ring& from) {
        const int* const item = from.dequeue(spare);
        from.check_invariants();
        return item != nullptr ? *item : none;
    }

    static constexpr int none = -1;
    teff::combiner_node* spare;
};

// Items are the addresses of numbers that count up.
class numbered {
public:
    explicit numbered(std::size_t count) : numbers_(count) { std::iota(numbers_.begin(), numbers_.end(), 0); }
    int* operator[](std::size_t i) { return &numbers_[i]; }

private:
    std::vector<int> numbers_;
};

TEST(combining_ring, is_empty_and_full_until_it_is_opened) {
    ring queue;
    participant self;
    teff::combiner_node* const mine = self.spare;
    int item = 0;
    EXPECT_FALSE(queue.may_have_items());
    EXPECT_EQ(queue.free_slots(), 0U);
    EXPECT_FALSE(queue.owner_enqueue(&item));
    EXPECT_EQ(self.take(queue), participant::none);
    EXPECT_EQ(self.spare, mine);
}

TEST(combining_ring, holds_exactly_its_capacity) {
    for (const std::size_t capacity : {1U, 2U, 3U, 5U, 8U, 24U, 100U}) {
        SCOPED_TRACE(capacity);
        ring queue;
        participant self;
        numbered items(3 * capacity);
        ASSERT_TRUE(queue.open(capacity));
        std::size_t in = 0, out = 0;
        // Fills the ring to the last slot and empties it; later keeps it full over a whole turn around the array.
        for (int round = 0; round < 2; ++round) {
            while (in - out < capacity) {
                EXPECT_EQ(queue.free_slots(), capacity - (in - out));
                ASSERT_TRUE(queue.owner_enqueue(items[in++]));
            }
            EXPECT_FALSE(queue.owner_enqueue(items[in]));
            EXPECT_EQ(queue.free_slots(), 0U);
            for (std::size_t i = 0; round == 0 && i < capacity; ++i)
                ASSERT_EQ(self.take(queue), static_cast<int>(out++));
        }
        for (std::size_t i = 0; i < capacity; ++i) {
            ASSERT_EQ(self.take(queue), static_cast<int>(out++));
            EXPECT_EQ(queue.free_slots(), 1U);
            ASSERT_TRUE(queue.owner_enqueue(items[in++]));
        }
        EXPECT_TRUE(queue.may_have_items());
        while (out < in)
            ASSERT_EQ(self.take(queue), static_cast<int>(out++));
        EXPECT_EQ(self.take(queue), participant::none);
        EXPECT_FALSE(queue.may_have_items());
    }
}

TEST(combining_ring, can_have_the_largest_capacity) {
    ring queue;
    participant self;
    int item = 7;
    ASSERT_TRUE(queue.open(ring::max_capacity));
    EXPECT_EQ(queue.free_slots(), ring::max_capacity);
    for (std::size_t i = 0; i < ring::max_capacity; ++i)
        ASSERT_TRUE(queue.owner_enqueue(&item));
    EXPECT_FALSE(queue.owner_enqueue(&item));
    EXPECT_EQ(self.take(queue), 7);
}

TEST(combining_ring, its_destructor_does_not_touch_items) {
    int item = 7;
    {
        ring queue;
        ASSERT_TRUE(queue.open(2));
        ASSERT_TRUE(queue.owner_enqueue(&item));
    }
    EXPECT_EQ(item, 7);
}

TEST(combining_ring, exchanges_nodes_with_its_participants) {
    participant first, second;
    teff::combiner_node* const brought = first.spare;
    {
        ring one, other;
        numbered items(4);
        ASSERT_TRUE(one.open(4));
        ASSERT_TRUE(other.open(4));
        for (const std::size_t i : {0U, 1U})
            ASSERT_TRUE(one.owner_enqueue(items[i]) && other.owner_enqueue(items[2 + i]));
        EXPECT_EQ(first.take(one), 0);
        EXPECT_NE(first.spare, brought);
        teff::combiner_node* const of_one = first.spare;
        EXPECT_EQ(first.take(other), 2);
        EXPECT_EQ(second.take(one), 1);
        EXPECT_EQ(second.spare, brought);
        EXPECT_EQ(second.take(other), 3);
        EXPECT_EQ(second.spare, of_one);
        // A dequeue from an empty ring does not exchange the node.
        EXPECT_EQ(second.take(one), participant::none);
        EXPECT_EQ(second.spare, of_one);
    }
    // Each ring has freed one node; the participants still own theirs.
    EXPECT_NE(first.spare, second.spare);
}

TEST(combining_ring, destroys_no_node_twice) {
    teff::destroy_combiner_node(nullptr);
    ring never_opened;
    never_opened.check_invariants();
}

TEST(combining_ring, gives_each_item_to_one_participant) {
    constexpr std::size_t total = 30'000;
    for (const unsigned max_served : {1U, 2U, ring::default_most_served}) {
        ring queue;
        ASSERT_TRUE(queue.open(24, max_served));
        numbered items(total);
        std::vector<std::atomic<unsigned char>> seen(total);
        std::atomic<std::size_t> taken{0};
        std::atomic<bool> in_order{true};
        const auto take = [&](participant& self, int& last) {
            const int* const item = queue.dequeue(self.spare);
            if (item == nullptr)
                return false;
            in_order = in_order && *item > last;
            last = *item;
            seen[static_cast<std::size_t>(*item)].fetch_add(1);
            taken.fetch_add(1);
            return true;
        };
        std::vector<std::thread> thieves;
        for (int i = 0; i < 2; ++i)
            thieves.emplace_back([&] {
                participant self;
                int last = participant::none;
                while (taken.load() < total) {
                    if (!take(self, last))
                        std::this_thread::yield();
                }
            });
        participant owner;
        int last = participant::none;
        for (std::size_t next = 0; next < total;) {
            if (queue.owner_enqueue(items[next]))
                ++next;
            else if (!take(owner, last))
                std::this_thread::yield();
        }
        while (take(owner, last)) {
        }
        for (std::thread& each : thieves)
            each.join();
        queue.check_invariants();
        EXPECT_TRUE(in_order.load());
        for (const auto& each : seen)
            ASSERT_EQ(each.load(), 1);
    }
}

// Four threads add numbers in the serial code, and each counts for itself how many requests of others it performed.
class cc_synch : public testing::TestWithParam<unsigned> {
protected:
    struct request {
        unsigned from;
        long amount;
    };
    using counter = teff::cc_synch<request, long>;
    static constexpr unsigned threads = 4;
    static constexpr long rounds = 5'000;
    struct seen_by_one {
        std::vector<long> results;
        std::uint64_t performed = 0;
        teff::combining_counts counts;
    };

    void SetUp() override { ASSERT_TRUE(synch_.open(GetParam())); }
    void run() {
        std::vector<std::thread> all;
        for (unsigned self = 0; self < threads; ++self)
            all.emplace_back([this, self] { work(self); });
        for (std::thread& each : all)
            each.join();
        synch_.check_invariants();
    }
    void work(unsigned self) {
        seen_by_one& mine = seen_[self];
        counter::node* spare = teff::create<counter::node>();
        const auto serial = [&](request asked) noexcept {
            mine.performed += asked.from != self;
            return sum_ += asked.amount;
        };
        for (long i = 0; i < rounds; ++i)
            mine.results.push_back(synch_.apply(spare, {self, 2}, serial, &mine.counts));
        teff::destroy(spare);
    }

    counter synch_;
    long sum_ = 0;
    seen_by_one seen_[threads];
};

INSTANTIATE_TEST_SUITE_P(by_bound, cc_synch, testing::Values(1U, 3U, 100U));

TEST_P(cc_synch, serves_every_request_once) {
    run();
    EXPECT_EQ(sum_, 2 * long{threads} * rounds);
    std::set<long> distinct;
    for (const seen_by_one& each : seen_) {
        EXPECT_TRUE(std::is_sorted(each.results.begin(), each.results.end()));
        distinct.insert(each.results.begin(), each.results.end());
    }
    EXPECT_EQ(distinct.size(), static_cast<std::size_t>(threads * rounds));
}

// Whether threads combine at all is chance, so this goes on until they have. (With a bound of 1 they never do.)
TEST_P(cc_synch, counts_what_combiners_perform_for_others) {
    std::uint64_t performed = 0;
    do {
        run();
        for (const seen_by_one& each : seen_) {
            EXPECT_EQ(each.counts.performed, each.performed);
            EXPECT_GE(each.counts.performed, each.counts.rounds);
            EXPECT_LE(each.counts.performed, each.counts.rounds * (GetParam() - 1));
            performed += each.performed;
        }
    } while (performed == 0 && GetParam() > 1 && !HasFailure());
}

}  // namespace
