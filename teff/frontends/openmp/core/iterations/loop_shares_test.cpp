// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each chunk of a share is handed out once, whichever thread comes first, in loop after loop without a reset.
#include <teff/frontends/openmp/core/iterations/loop_shares.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <thread>
#include <vector>

namespace {

TEST(openmp_loop_shares, hands_out_the_chunks_in_order) {
    teff::openmp::loop_share share;
    for (std::uint32_t index = 0; index < 5; ++index) {
        EXPECT_FALSE(share.is_used_up(7, 5));
        EXPECT_EQ(share.take(7), index);
    }
    EXPECT_TRUE(share.is_used_up(7, 5));
    EXPECT_EQ(share.take(7), 5U);
}

TEST(openmp_loop_shares, begins_again_with_each_loop) {
    teff::openmp::loop_share share;
    for (std::uint32_t loop : {1U, 2U, 0xffff'ffffU, 0U}) {
        SCOPED_TRACE(loop);
        EXPECT_FALSE(share.is_used_up(loop, 1));
        EXPECT_EQ(share.take(loop), 0U);
        EXPECT_EQ(share.take(loop), 1U);
    }
}

TEST(openmp_loop_shares, a_skipped_loop_leaves_nothing_behind) {
    teff::openmp::loop_share share;
    EXPECT_EQ(share.take(3), 0U);
    share.skip(4);
    // As if the numbers had begun again.
    EXPECT_FALSE(share.is_used_up(3, 1));
    EXPECT_EQ(share.take(3), 0U);
}

TEST(openmp_loop_shares, an_empty_share_is_used_up) {
    teff::openmp::loop_share share;
    EXPECT_TRUE(share.is_used_up(1, 0));
}

// Each thread takes from the others' shares in another order. No thread resets anything; a thread only waits until all
// have left the loop whose word it uses next, as in the ring.
TEST(openmp_loop_shares, no_chunk_is_lost_or_doubled) {
    constexpr unsigned threads = 4, share_size = 50, loops = 2'000;
    std::vector<teff::openmp::loop_shares> shares(threads);
    std::vector<std::atomic<unsigned>> taken(threads * share_size);
    std::atomic<unsigned> mistakes{0};
    std::barrier all(threads);
    const auto work = [&](unsigned me) {
        for (std::uint32_t loop = 1; loop <= loops; ++loop) {
            for (unsigned visited = 0; visited < threads; ++visited) {
                const unsigned owner = (me + visited) % threads;
                for (std::uint32_t index; (index = shares[owner][loop].take(loop)) < share_size;)
                    taken[owner * share_size + index].fetch_add(1);
            }
            if (loop % teff::openmp::loop_shares::loops != 0)
                continue;
            all.arrive_and_wait();
            for (unsigned index = me; index < taken.size(); index += threads)
                if (taken[index].exchange(0) != teff::openmp::loop_shares::loops)
                    mistakes.fetch_add(1);
            all.arrive_and_wait();
        }
    };
    std::vector<std::jthread> running;
    for (unsigned me = 0; me < threads; ++me)
        running.emplace_back(work, me);
    running.clear();
    EXPECT_EQ(mistakes.load(), 0U);
}

}  // namespace
