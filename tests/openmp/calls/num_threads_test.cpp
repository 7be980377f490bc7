// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms of num_threads that OpenMP 6.0 adds, through their symbols: a list of numbers for nested regions, and the
// strict modifier.
#include "functions.hpp"

#include <atomic>

namespace {

using openmp_calls::function;

using body = void (*)(std::int32_t*, std::int32_t*);
void fork(body each) {
    function<void(void*, std::int32_t, body, ...)>("__kmpc_fork_call")(nullptr, 0, each);
}
int number_of_threads() { return function<int()>("omp_get_num_threads")(); }

std::atomic<int> outer, inner, deepest;

void run_three_levels() {
    outer = inner = deepest = 0;
    fork([](std::int32_t*, std::int32_t*) {
        outer = number_of_threads();
        fork([](std::int32_t*, std::int32_t*) {
            inner = number_of_threads();
            fork([](std::int32_t*, std::int32_t*) { deepest = number_of_threads(); });
        });
    });
}

TEST(openmp_num_threads, a_list_holds_for_the_levels_inside) {
    function<void(int)>("omp_set_max_active_levels")(3);
    function<void(int)>("omp_set_num_threads")(2);
    const auto push = function<void(void*, std::int32_t, std::uint32_t, const std::int32_t*)>(
        "__kmpc_push_num_threads_list");
    const std::int32_t numbers[] = {3, 4, 1};
    const int expected[][3] = {{3, 2, 2}, {3, 4, 4}, {3, 4, 1}};
    for (std::uint32_t count = 1; count <= 3; ++count) {
        push(nullptr, 0, count, numbers);
        run_three_levels();
        EXPECT_EQ(outer, expected[count - 1][0]);
        EXPECT_EQ(inner, expected[count - 1][1]);
        EXPECT_EQ(deepest, expected[count - 1][2]);
        // It was for one region.
        run_three_levels();
        EXPECT_EQ(outer, 2);
        EXPECT_EQ(inner, 2);
        EXPECT_EQ(deepest, 2);
    }
    function<void(int)>("omp_set_max_active_levels")(1);
}

TEST(openmp_num_threads, strict_says_that_there_are_fewer) {
    constexpr int warning = 1, fatal = 2;
    function<void(int)>("omp_set_max_active_levels")(1);
    const auto push =
        function<void(void*, std::int32_t, std::int32_t, int, const char*)>("__kmpc_push_num_threads_strict");
    const auto in_a_region = [push](std::int32_t wanted, int severity, const char* message) {
        static std::int32_t asked;
        static int how;
        static const char* text;
        static void (*call)(void*, std::int32_t, std::int32_t, int, const char*);
        asked = wanted, how = severity, text = message, call = push;
        function<void(void*, std::int32_t, std::int32_t)>("__kmpc_push_num_threads")(nullptr, 0, 2);
        // The region inside is not active, so it has one thread.
        fork([](std::int32_t*, std::int32_t*) {
            if (function<int()>("omp_get_thread_num")() != 0)
                return;
            call(nullptr, 0, asked, how, text);
            fork([](std::int32_t*, std::int32_t*) { inner = number_of_threads(); });
        });
        return inner.load();
    };
    testing::internal::CaptureStderr();
    EXPECT_EQ(in_a_region(1, fatal, "not said"), 1);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    testing::internal::CaptureStderr();
    EXPECT_EQ(in_a_region(5, warning, "five were wanted"), 1);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "OMP: Warning #200: five were wanted\n");
    testing::internal::CaptureStderr();
    EXPECT_EQ(in_a_region(5, warning, nullptr), 1);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("num_threads(strict: ...)"), std::string::npos);
}

}  // namespace
