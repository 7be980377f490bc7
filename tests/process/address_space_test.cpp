// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Under a limit of the address space (`ulimit -v`) a call has the right result, with fewer threads where it must, or
// throws std::bad_alloc. The process never ends by a fault of a stack that could not be extended.
#include <tests/child_process.hpp>
#include <tests/reduction_samples.hpp>

#include <teff/fork_join.hpp>
#include <teff/threads.hpp>

#include <atomic>
#include <gtest/gtest.h>
#include <new>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace teff::testing {
namespace {

constexpr std::uint32_t depth = 12;

long leaves(int below) {
    if (below == 0)
        return 1;
    const auto [left, right] = fork_join([=] { return leaves(below - 1); }, [=] { return leaves(below - 1); });
    return left + right;
}

long fibers_that_ran() {
    std::atomic<long> ran{0};
    std::vector<fiber> all;
    for (int i = 0; i < 100; ++i)
        all.emplace_back([&] { ++ran; });
    for (fiber& each : all)
        each.join();
    return ran;
}

class address_space_each : public each_scheduler {};

INSTANTIATE_TEST_SUITE_P(, address_space_each, every_scheduler_name(), scheduler_case_name);

TEST_P(address_space_each, may_be_limited) {
    if (conformance::sanitized)
        GTEST_SKIP() << "a sanitizer needs an address space without a limit";
    for (const long threads : {1L, 2L, 8L, 32L, 64L})
        for (const rlim_t mib : {40U, 50U, 60U, 80U, 100U, 150U, 200U, 300U, 400U}) {
            const child_outcome outcome = run_in_child([&] {
                const rlimit limit{mib << 20, mib << 20};
                ASSERT_EQ(::setrlimit(RLIMIT_AS, &limit), 0);
                try {
                    EXPECT_TRUE(counts_right(with_threads(threads), depth));
                    EXPECT_EQ(execute(with_threads(threads), [] { return leaves(14); }), 1L << 14);
                    EXPECT_EQ(execute(with_threads(threads), fibers_that_ran), 100);
                } catch (const std::bad_alloc&) {
                    // The documented result.
                }
            });
            EXPECT_EQ(outcome.code(), 0) << threads << " threads, " << mib << " MiB, status " << outcome.status
                                         << ", stderr:\n" << outcome.errors;
            EXPECT_EQ(outcome.lines_with("teff: a worker thread could not be started"), outcome.lines_with(""))
                << outcome.errors;
        }
}

}  // namespace
}  // namespace teff::testing
