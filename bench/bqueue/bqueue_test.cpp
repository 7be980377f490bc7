// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The measurement of hand-overs notices every item that does not arrive as it was sent, and refuses sizes that no
// B-queue has. The queues here are the tests' own; the B-queue is tested beside its header.
#include <bench/bqueue/bqueue.hpp>

#include <bench/harness/testing.hpp>

#include <deque>
#include <mutex>
#include <string>

namespace bench {
namespace {

// A bounded queue under a mutex. `fault` is applied to the item with number `faulty`.
class test_queue {
public:
    enum class fault { none, changed, repeated, overtaken };

    bool try_push(std::uint64_t item) {
        const std::scoped_lock lock(mutex_);
        if (items_.size() == 8) return false;
        if (pushed_++ == faulty && !items_.empty()) {
            if (how == fault::changed) item ^= 1;
            if (how == fault::repeated) item = items_.back();
            if (how == fault::overtaken) std::swap(item, items_.back());
        }
        items_.push_back(item);
        return true;
    }
    bool try_pop(std::uint64_t& item) {
        const std::scoped_lock lock(mutex_);
        // The last items stay until all have been pushed, so that the faulty one does not come into an empty queue.
        if (items_.empty() || (how != fault::none && pushed_ <= faulty && items_.size() < 2)) return false;
        item = items_.front();
        items_.pop_front();
        return true;
    }

    fault how = fault::none;
    std::uint64_t faulty = 30;

private:
    std::mutex mutex_;
    std::deque<std::uint64_t> items_;
    std::uint64_t pushed_ = 0;
};

parameters of(const std::string& size, const std::string& variant, unsigned threads = 2) {
    parameters made = of_size(size);
    made.variant = variant;
    made.threads = threads;
    return made;
}

TEST(bqueue, every_item_arrives_once_and_in_order) {
    for (const char* variant : {"ping_pong", "stream"})
        for (const unsigned threads : {2U, 5U}) {
            std::deque<test_queue> queues(2 * (threads / 2));
            const outcome result = bqueue::measure(of("16x4x101", variant, threads), queues);
            EXPECT_TRUE(result.verified) << result.answer;
            EXPECT_EQ(result.tasks, 100U * (threads / 2));
            EXPECT_EQ(value_of(result, "capacity"), 16);
            EXPECT_EQ(value_of(result, "batch"), 4);
            EXPECT_NEAR(value_of(result, "hand_over_ns"), result.seconds * 1e9 / 100, 1e-6);
        }
}

TEST(bqueue, an_item_that_arrives_otherwise_is_noticed) {
    for (const auto fault : {test_queue::fault::changed, test_queue::fault::repeated, test_queue::fault::overtaken}) {
        std::deque<test_queue> queues(2);
        queues[0].how = fault;
        EXPECT_FALSE(bqueue::measure(of("16x4x100", "stream"), queues).verified) << static_cast<int>(fault);
    }
}

TEST(bqueue, sizes_are_those_that_a_b_queue_has) {
    const bqueue::sizes one(of("64x32x7", "stream"));
    EXPECT_EQ(one.capacity, 64U);
    EXPECT_EQ(one.batch, 32U);
    EXPECT_EQ(one.items, 6U) << "whole round trips";
    for (const char* wrong : {"63x16x10", "64x3x10", "64x64x10", "64x16", "1x1x10", "64x16x1"})
        EXPECT_THROW(bqueue::sizes(of(wrong, "stream")), usage_error) << wrong;
}

}  // namespace
}  // namespace bench
