// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report of a stall of an OpenMP program: threads that have locked each other out.
#include "regions.hpp"

#include <tests/process/child_errors.hpp>

#include <atomic>
#include <cstdlib>
#include <string_view>

namespace {

using namespace openmp_calls;
using namespace teff::testing;

TEST(openmp_stall, names_the_locks_that_threads_wait_for) {
    // Both locks are named, and then the state of the team.
    const auto is_whole = [](const std::string& text) { return text.find("teff: team: ") != std::string::npos; };
    const std::string said = errors_until(is_whole, [] {
        ::setenv("TEFF_STALL_REPORT_S", "1", 1);
        in_region(2, [] {
            static std::int32_t locks[2];
            static std::atomic<int> holders{0};
            const auto set = function<void(std::int32_t*)>("omp_set_lock");
            const int own = thread_num();
            set(&locks[own]);
            ++holders;
            while (holders != 2) {
            }
            set(&locks[1 - own]);
        });
    });
    EXPECT_TRUE(has_line(said, "  worker 1 \\(thread [0-9]+\\) waits for the OpenMP lock 0x[0-9a-f]+ to be released"))
        << said;
    EXPECT_TRUE(has_line(said, "  thread [0-9]+ \\(main\\) waits for the OpenMP lock 0x[0-9a-f]+ to be released"))
        << said;
}

// One thread is in the program's own code, and will release the lock.
TEST(openmp_stall, is_not_reported_while_a_thread_holds_a_lock_for_long) {
    const std::string said = errors_until([](const std::string&) { return false; }, [] {
        ::setenv("TEFF_STALL_REPORT_S", "1", 1);
        in_region(2, [] {
            static std::int32_t lock;
            static std::atomic<bool> is_held{false};
            const auto set = function<void(std::int32_t*)>("omp_set_lock");
            if (thread_num() != 0) {
                while (!is_held) {
                }
                set(&lock);
            } else {
                set(&lock);
                is_held = true;
                ::usleep(2'500'000);
            }
            function<void(std::int32_t*)>("omp_unset_lock")(&lock);
        });
    });
    EXPECT_EQ(said, "");
}

}  // namespace
