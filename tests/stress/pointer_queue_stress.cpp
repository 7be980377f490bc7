// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The queues of pointers under real threads: every item has a number, and each number must come out exactly once, in
// the order that the queue guarantees.
//
// An operation is an insertion or a removal of an item (operations.hpp says how many there are).
#include <tests/stress/identities.hpp>
#include <tests/stress/operations.hpp>

#include <teff/base/backoff.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/queue/combining_ring.hpp>
#include <teff/queue/locked_deque.hpp>
#include <teff/queue/nemesis_queue.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace {

// Each owner fills its own ring. Every thread takes from all rings with one combiner node, so nodes travel between
// rings.
class ring_round {
public:
    ring_round(unsigned owners, unsigned thieves, std::size_t capacity, unsigned max_served, std::uint64_t items)
        : items_per_owner_(items / owners), threads_(owners + thieves), delivered_(items_per_owner_ * owners) {
        for (unsigned i = 0; i < owners; ++i) {
            rings_.push_back(std::make_unique<own_ring>());
            EXPECT_TRUE(rings_.back()->queue.open(capacity, max_served));
            rings_.back()->items.resize(items_per_owner_);
        }
    }

    void run(std::uint64_t seed) {
        std::vector<std::thread> threads;
        for (unsigned self = 0; self < threads_; ++self)
            threads.emplace_back([this, self, seed] { work(self, seed + self); });
        for (std::thread& each : threads)
            each.join();
        EXPECT_EQ(wrong_.load(), 0) << "items came out twice or late, or a free slot was none";
        EXPECT_EQ(delivered_.missing(), 0U) << "items were lost";
        for (const auto& each : rings_) {
            each->queue.check_invariants();
            EXPECT_FALSE(each->queue.may_have_items());
        }
    }

private:
    using item = std::uint32_t;
    struct own_ring {
        teff::combining_ring<item*> queue;
        std::vector<item> items;
        std::atomic<bool> done{false};
    };
    // The state of one thread; at_least[i] is the last number that it saw from ring i, plus one.
    struct participant {
        explicit participant(std::size_t rings) : spare(teff::make_combiner_node()), at_least(rings) {}
        participant(const participant&) = delete;
        participant& operator=(const participant&) = delete;
        ~participant() { teff::destroy_combiner_node(spare); }
        teff::combiner_node* spare;
        std::vector<item> at_least;
    };

    void work(unsigned self, std::uint64_t seed) {
        teff::random_generator random(seed);
        participant me(rings_.size());
        if (self < rings_.size())
            own(*rings_[self], me, self, random);
        for (teff::backoff idle;;) {
            bool over = true, found = false;
            for (std::size_t i = 0; i < rings_.size(); ++i) {
                over = rings_[i]->done.load() && over;
                found = take(me, i) || found;
            }
            if (found)
                idle.reset();
            else if (over)
                return;
            else
                idle.pause();
        }
    }
    void own(own_ring& mine, participant& me, std::size_t self, teff::random_generator& random) {
        for (std::uint64_t next = 0; next < items_per_owner_;) {
            std::size_t promised = mine.queue.free_slots();
            for (std::uint32_t burst = 1 + random.below(40); burst != 0 && next < items_per_owner_; --burst) {
                mine.items[next] = static_cast<item>(next);
                if (!mine.queue.owner_enqueue(&mine.items[next])) {
                    // relaxed: read after the join.
                    wrong_.fetch_add(promised != 0 ? 1 : 0, std::memory_order_relaxed);
                    break;
                }
                promised -= promised != 0 ? 1 : 0;
                ++next;
            }
            for (std::uint32_t burst = random.below(40); burst != 0 && take(me, self); --burst) {
            }
            if (random.below(16) == 0)
                take(me, random.below(static_cast<std::uint32_t>(rings_.size())));
        }
        mine.done.store(true);
    }
    bool take(participant& me, std::size_t from) {
        const item* const taken = rings_[from]->queue.dequeue(me.spare);
        if (taken == nullptr)
            return false;
        if (*taken < me.at_least[from] || !delivered_.deliver(from * items_per_owner_ + *taken))
            // relaxed: read after the join.
            wrong_.fetch_add(1, std::memory_order_relaxed);
        me.at_least[from] = *taken + 1;
        return true;
    }

    const std::uint64_t items_per_owner_;
    const unsigned threads_;
    std::vector<std::unique_ptr<own_ring>> rings_;
    stress::identities delivered_;
    std::atomic<long> wrong_{0};
};

// Each removal from a contended ring costs an exchange on a contended line, so this runs a quarter of the usual
// number.
TEST(combining_ring_stress, items_come_out_once_and_in_order) {
    constexpr std::uint64_t rounds = 8;
    std::uint64_t seed = 1;
    for (const unsigned max_served : {1U, 64U}) {
        for (const std::size_t capacity : {std::size_t{1}, std::size_t{24}}) {
            for (const unsigned owners : {1U, 2U}) {
                SCOPED_TRACE("bound " + std::to_string(max_served) + ", capacity " + std::to_string(capacity) +
                             ", owners " + std::to_string(owners) + ", seed " + std::to_string(seed));
                ring_round(owners, 3 - owners, capacity, max_served, stress::operations() / 4 / 2 / rounds + 1)
                    .run(seed++);
            }
        }
    }
}

// A message of a producer. It circulates: the consumer returns it through the producer's own queue.
struct message {
    teff::atomic<message*> next{nullptr};
    std::uint64_t number = 0;
    unsigned producer = 0;
};
using message_queue = teff::nemesis_queue<message>;

// Each producer has few messages, and sends them again as soon as they have returned, one to three at a time. The
// consumer pushes half of the messages to its own queue once more before it returns them.
class message_round {
public:
    message_round(unsigned producers, std::uint64_t items)
        : items_per_producer_(items / producers), delivered_(items_per_producer_ * producers) {
        for (unsigned i = 0; i < producers; ++i) {
            producers_.push_back(std::make_unique<producer>());
            for (message& each : producers_.back()->messages) {
                each.producer = i;
                producers_.back()->returned.push(each);
            }
        }
    }

    void run(std::uint64_t seed) {
        std::vector<std::thread> threads;
        for (std::size_t self = 0; self < producers_.size(); ++self)
            threads.emplace_back([this, self, seed] { produce(*producers_[self], seed + self); });
        consume();
        for (std::thread& each : threads)
            each.join();
        EXPECT_EQ(wrong_, 0) << "messages came twice or late, or nothing came although something was there";
        EXPECT_EQ(delivered_.missing(), 0U) << "messages were lost";
        EXPECT_FALSE(inbox_.may_have_items());
        inbox_.check_invariants();
        for (const auto& each : producers_)
            each->returned.check_invariants();
    }

private:
    static constexpr std::uint64_t second_time = std::uint64_t{1} << 63;
    struct producer {
        message_queue returned;
        message messages[8];
    };

    void produce(producer& self, std::uint64_t seed) {
        teff::random_generator random(seed);
        for (std::uint64_t next = 0; next < items_per_producer_;) {
            std::uint32_t burst = 1 + random.below(3);
            for (; burst != 0 && next < items_per_producer_; --burst) {
                message* const sent = self.returned.pop();
                if (sent == nullptr)
                    break;
                sent->number = next++;
                inbox_.push(*sent);
            }
            if (burst != 0)
                teff::yield_thread();
        }
    }
    void consume() {
        std::vector<std::uint64_t> at_least(producers_.size());
        for (std::uint64_t taken = 0; taken < items_per_producer_ * producers_.size();) {
            message* const received = inbox_.pop();
            if (received == nullptr) {
                teff::yield_thread();
                continue;
            }
            if ((received->number & second_time) == 0) {
                wrong_ += received->number < at_least[received->producer] ? 1 : 0;
                at_least[received->producer] = received->number + 1;
                if (received->number % 2 == 0) {
                    received->number |= second_time;
                    inbox_.push(*received);
                    wrong_ += inbox_.may_have_items() ? 0 : 1;
                    continue;
                }
            }
            ++taken;
            const std::uint64_t number = received->number & ~second_time;
            wrong_ += delivered_.deliver(received->producer * items_per_producer_ + number) ? 0 : 1;
            producers_[received->producer]->returned.push(*received);
        }
    }

    const std::uint64_t items_per_producer_;
    std::vector<std::unique_ptr<producer>> producers_;
    message_queue inbox_;
    stress::identities delivered_;
    long wrong_ = 0;  // written by the consumer
};

TEST(nemesis_queue_stress, messages_come_once_and_in_order) {
    for (unsigned producers = 1; producers <= 3; ++producers) {
        SCOPED_TRACE(std::to_string(producers) + " producers");
        message_round(producers, stress::operations() / 16 / 4 / 3 + 1).run(producers);
    }
}

// One owner pushes and pops at the tail of a new deque, in bursts that become longer, so the ring grows while thieves
// take from its head. The numbers always increase from head to tail. So each thief gets increasing numbers, and the
// owner gets decreasing ones between two pushes.
class deque_round {
public:
    deque_round(unsigned thieves, std::uint64_t items) : thieves_(thieves), items_(items), delivered_(items) {}

    void run(std::uint64_t seed) {
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < thieves_; ++i)
            threads.emplace_back([this] { steal_all(); });
        while (started_.load() != thieves_)
            teff::yield_thread();
        own(seed);
        for (std::thread& each : threads)
            each.join();
        EXPECT_EQ(wrong_.load(), 0) << "items came out twice or in the wrong order, or a push failed";
        EXPECT_EQ(delivered_.missing(), 0U) << "items were lost";
        EXPECT_FALSE(queue_.may_have_items());
        EXPECT_EQ(queue_.check_invariants(), nullptr);
    }

private:
    using item = std::uint32_t;

    void own(std::uint64_t seed) {
        teff::random_generator random(seed);
        std::vector<item> numbers(items_);
        for (std::uint64_t next = 0; next < items_;) {
            const auto longest = static_cast<std::uint32_t>(2 + next / 8);
            for (std::uint32_t burst = 1 + random.below(longest); burst != 0 && next < items_; --burst, ++next) {
                numbers[next] = static_cast<item>(next);
                note(queue_.push(&numbers[next]));
            }
            pop_up_to(random.below(longest));
        }
        // Pops what is left, before the owner finishes.
        while (pop_up_to(1) != 0) {
        }
        done_.store(true);
        while (left_.load() != thieves_)
            teff::yield_thread();
    }
    std::uint32_t pop_up_to(std::uint32_t most) {
        std::optional<item> last;
        for (std::uint32_t count = 0; count < most; ++count) {
            const item* const popped = queue_.pop();
            if (popped == nullptr)
                return count;
            note(!last || *popped < *last);
            last = *popped;
            note(delivered_.deliver(*popped));
        }
        return most;
    }
    void steal_all() {
        started_.fetch_add(1);
        std::optional<item> last;
        for (teff::backoff idle; !done_.load();) {
            const auto attempt = queue_.try_take_oldest();
            note(attempt.item == nullptr || !attempt.contended);
            if (attempt.item == nullptr) {
                idle.pause();
                continue;
            }
            idle.reset();
            note(!last || *attempt.item > *last);
            last = *attempt.item;
            note(delivered_.deliver(*attempt.item));
        }
        left_.fetch_add(1);
    }
    void note(bool right) {
        if (!right)
            // relaxed: read after the join.
            wrong_.fetch_add(1, std::memory_order_relaxed);
    }

    const unsigned thieves_;
    const std::uint64_t items_;
    teff::locked_deque<const item*, 2> queue_;
    stress::identities delivered_;
    std::atomic<unsigned> started_{0}, left_{0};
    std::atomic<bool> done_{false};
    std::atomic<long> wrong_{0};
};

TEST(locked_deque_stress, items_come_out_once_and_in_order) {
    constexpr std::uint64_t rounds = 64;
    const std::uint64_t items = stress::operations() / 16 / 2 / rounds + 1;
    for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
        const unsigned thieves = 1 + static_cast<unsigned>(seed % 2);
        SCOPED_TRACE(std::to_string(thieves) + " thieves, seed " + std::to_string(seed));
        deque_round(thieves, items).run(seed);
    }
}

}  // namespace
