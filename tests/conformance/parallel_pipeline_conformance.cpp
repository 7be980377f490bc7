// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parallel_pipeline on every scheduler: each value passes through all stages, in order where a stage asks for order.
#include <tests/conformance/each_choice.hpp>

#include <teff/fork_join.hpp>
#include <teff/parallel_pipeline.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <vector>

namespace {

using namespace conformance;

class parallel_pipeline_on : public each_choice {};

INSTANTIATE_TEST_SUITE_P(, parallel_pipeline_on, testing::ValuesIn(all_rows()), row_names());

// Squares of numbers, through stages of all modes, with few values in flight.
std::vector<long> squares(long count, std::size_t tokens, long failing_at = -1) {
    using teff::filter_mode;
    long next = 0;
    std::atomic<int> inside{0};
    std::vector<long> found;
    const auto alone = [&](long n) {
        EXPECT_EQ(inside.fetch_add(1), 0);
        inside.fetch_sub(1);
        return std::make_unique<long>(n);
    };
    teff::parallel_pipeline(tokens,
        teff::make_filter<void, long>(filter_mode::serial_in_order, [&](teff::flow_control& flow) {
            if (next == count)
                flow.stop();
            return next++;
        }) &
        teff::make_filter<long, long>(filter_mode::parallel, [=](long n) {
            if (n == failing_at)
                throw std::runtime_error("a filter");
            return n * n;
        }) &
        teff::make_filter<long, std::unique_ptr<long>>(filter_mode::serial_out_of_order, alone) &
        teff::make_filter<std::unique_ptr<long>, void>(filter_mode::serial_in_order,
                                                       [&](std::unique_ptr<long> n) { found.push_back(*n); }));
    return found;
}

TEST_P(parallel_pipeline_on, keeps_the_order) {
    for (const long threads : {1L, 2L, 5L})
        teff::execute(with_threads(threads), [] {
            for (const std::size_t tokens : {1U, 2U, 7U, 1000U}) {
                const std::vector<long> found = squares(300, tokens);
                ASSERT_EQ(found.size(), 300U);
                for (long i = 0; i < 300; ++i)
                    ASSERT_EQ(found[static_cast<std::size_t>(i)], i * i);
            }
            EXPECT_TRUE(squares(0, 3).empty());
            EXPECT_THROW(squares(100, 5, 50), std::runtime_error);
            EXPECT_THROW(squares(100, 0), std::invalid_argument);
            EXPECT_THROW(teff::parallel_pipeline(1, teff::filter<void, void>()), std::invalid_argument);
            EXPECT_THROW((teff::filter<void, int>() & teff::filter<int, void>()), std::invalid_argument);
        });
}

// Either all values reach the last stage, or the caller is told that the pipeline was stopped.
TEST_P(parallel_pipeline_on, says_when_it_was_stopped) {
    for (const long threads : {1L, 2L, 5L}) {
        std::stop_source stop;
        teff::options call = with_threads(threads);
        call.stop = stop.get_token();
        std::atomic<long> begun{0}, ended{0};
        try {
            teff::execute(call, [&] {
                using teff::filter_mode;
                teff::parallel_pipeline(8,
                    teff::make_filter<void, long>(filter_mode::serial_in_order, [&](teff::flow_control& flow) {
                        if (begun == 500)
                            flow.stop();
                        return begun++;
                    }) &
                    teff::make_filter<long, long>(filter_mode::parallel, [&](long n) {
                        if (n == 100)
                            stop.request_stop();
                        return n;
                    }) &
                    teff::make_filter<long, void>(filter_mode::serial_in_order, [&](long) { ++ended; }));
                EXPECT_EQ(ended.load(), 500);
            });
        } catch (const teff::stopped&) {
        }
    }
}

}  // namespace
