// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The num_threads clauses of OpenMP 6.0: a list with a number for each level, and `strict`.
#include "regions.hpp"

#include <atomic>

namespace {

using openmp_calls::call_with_body;
using openmp_calls::function;
using openmp_calls::in_region;
using openmp_calls::num_threads;

void set_levels(int levels) { function<void(int)>("omp_set_max_active_levels")(levels); }
void set_limit(std::int32_t limit) {
    function<void(void*, std::int32_t, std::int32_t)>("__kmpc_set_thread_limit")(nullptr, 0, limit);
}
void push_strict(std::int32_t threads, int severity, const char* message) {
    function<void(void*, std::int32_t, std::int32_t, int, const char*)>("__kmpc_push_num_threads_strict")(
        nullptr, 0, threads, severity, message);
}

TEST(openmp_num_threads, a_list_is_for_the_regions_inside) {
    set_levels(3);
    std::int32_t list[] = {2, 3, 1};
    std::atomic<int> outer{0}, inner{0}, innermost{0};
    const auto push = [&] {
        function<void(void*, std::int32_t, std::uint32_t, std::int32_t*)>("__kmpc_push_num_threads_list")(nullptr, 0, 3,
                                                                                                      list);
    };
    push();
    call_with_body("__kmpc_fork_call", [&] {
        EXPECT_EQ(num_threads(), 2);
        ++outer;
        call_with_body("__kmpc_fork_call", [&] {
            EXPECT_EQ(num_threads(), 3);
            ++inner;
            call_with_body("__kmpc_fork_call", [&] {
                EXPECT_EQ(num_threads(), 1);
                ++innermost;
            });
        });
        // A clause of its own comes first.
        in_region(1, [&] { EXPECT_EQ(num_threads(), 1); });
    });
    EXPECT_EQ(outer, 2);
    EXPECT_EQ(inner, 6);
    EXPECT_EQ(innermost, 6);
    set_levels(1);
}

TEST(openmp_num_threads, strict_is_silent_if_the_region_gets_the_number) {
    testing::internal::CaptureStderr();
    push_strict(3, 2, "not to be seen");
    call_with_body("__kmpc_fork_call", [] { EXPECT_EQ(num_threads(), 3); });
    // It holds for one region.
    in_region(1, [] { EXPECT_EQ(num_threads(), 1); });
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(openmp_num_threads, strict_warns_if_the_region_gets_fewer) {
    testing::internal::CaptureStderr();
    in_region(1, [] {
        set_limit(2);
        push_strict(3, 1, "the tables are made for three");
        call_with_body("__kmpc_fork_call", [] {});
    });
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find("num_threads(strict: 3)"), std::string::npos) << said;
    EXPECT_NE(said.find("gets 2 threads"), std::string::npos) << said;
    EXPECT_NE(said.find("the tables are made for three"), std::string::npos) << said;
}

TEST(openmp_num_threads, strict_ends_the_program_if_it_says_so) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_EXIT(
        {
            set_limit(2);
            push_strict(3, 2, nullptr);
            call_with_body("__kmpc_fork_call", [] {});
        },
        testing::ExitedWithCode(1), "gets 2 threads");
}

}  // namespace
