// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masks of processors, and the lines that OMP_DISPLAY_AFFINITY asks for, through their symbols.
#include "functions.hpp"

#include <cstdlib>
#include <sched.h>
#include <unistd.h>

namespace {

using openmp_calls::function;

cpu_set_t current_mask() {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    sched_getaffinity(0, sizeof mask, &mask);
    return mask;
}

TEST(openmp_affinity_masks, a_thread_sets_its_own) {
    const auto in_mask = function<int(int, void**)>("kmp_get_affinity_mask_proc");
    const cpu_set_t before = current_mask();
    const int end = function<int()>("kmp_get_affinity_max_proc")();
    EXPECT_GE(end, CPU_COUNT(&before));
    for (const std::string spelling : {"", "_"}) {
        void* mask = nullptr;
        function<void(void**)>("kmp_create_affinity_mask" + spelling)(&mask);
        ASSERT_NE(mask, nullptr);
        EXPECT_EQ(function<int(void**)>("kmp_get_affinity" + spelling)(&mask), 0);
        int first = -1;
        for (int cpu = end - 1; cpu >= 0; --cpu) {
            EXPECT_EQ(in_mask(cpu, &mask) == 1, CPU_ISSET(cpu, &before) != 0) << cpu;
            if (in_mask(cpu, &mask) == 1)
                first = cpu;
        }
        for (int cpu = 0; cpu < end; ++cpu)
            if (cpu != first)
                function<int(int, void**)>("kmp_unset_affinity_mask_proc")(cpu, &mask);
        EXPECT_EQ(function<int(void**)>("kmp_set_affinity" + spelling)(&mask), 0);
        const cpu_set_t bound = current_mask();
        EXPECT_EQ(CPU_COUNT(&bound), 1);
        EXPECT_TRUE(CPU_ISSET(first, &bound));
        function<void()>("kmp_set_thread_affinity_mask_initial")();
        const cpu_set_t after = current_mask();
        EXPECT_TRUE(CPU_EQUAL(&after, &before));
        EXPECT_EQ(function<int(const int*, void**)>("kmp_unset_affinity_mask_proc_")(&first, &mask), 0);
        EXPECT_EQ(in_mask(first, &mask), 0);
        EXPECT_EQ(function<int(int, void**)>("kmp_set_affinity_mask_proc")(first, &mask), 0);
        EXPECT_EQ(in_mask(first, &mask), 1);
        function<void(void**)>("kmp_destroy_affinity_mask" + spelling)(&mask);
        EXPECT_EQ(mask, nullptr);
    }
}

TEST(openmp_affinity_masks, mistakes_are_told) {
    void* none = nullptr;
    void* mask = nullptr;
    function<void(void**)>("kmp_create_affinity_mask")(&mask);
    EXPECT_NE(function<int(void**)>("kmp_set_affinity")(&mask), 0) << "an empty set";
    EXPECT_NE(function<int(void**)>("kmp_set_affinity")(&none), 0);
    EXPECT_NE(function<int(void**)>("kmp_get_affinity")(&none), 0);
    for (const std::string prefix : {"kmp", "kmpc"})
        for (const char* const call : {"_set_affinity_mask_proc", "_unset_affinity_mask_proc"}) {
            EXPECT_LT(function<int(int, void**)>(prefix + call)(0, &none), 0);
            EXPECT_LT(function<int(int, void**)>(prefix + call)(-1, &mask), 0);
            EXPECT_LT(function<int(int, void**)>(prefix + call)(8191, &mask), 0);
        }
    EXPECT_EQ(function<int(int, void**)>("kmpc_get_affinity_mask_proc")(8191, &mask), 0);
    EXPECT_LT(function<int(int, void**)>("kmp_get_affinity_mask_proc")(8192, &mask), 0);
    function<void(void**)>("kmp_destroy_affinity_mask")(&mask);
}

void run_regions(std::initializer_list<unsigned> sizes) {
    for (const unsigned size : sizes)
        function<void(void (*)(void*), void*, unsigned, unsigned)>("GOMP_parallel")([](void*) {}, nullptr, size, 0);
}

// Runs in a process of its own, whose standard output is standard error, which the test matches.
[[noreturn]] void show_regions(std::initializer_list<unsigned> sizes) {
    setenv("OMP_DISPLAY_AFFINITY", "true", 1);
    setenv("OMP_AFFINITY_FORMAT", "%L/%N", 1);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    run_regions(sizes);
    _exit(0);
}

TEST(openmp_display_affinity, each_thread_of_a_new_team_has_a_line) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(show_regions({3}), testing::ExitedWithCode(0), "^1/3\n1/3\n1/3\n$");
    EXPECT_EXIT(show_regions({2, 2, 2}), testing::ExitedWithCode(0), "^1/2\n1/2\n$");
    EXPECT_EXIT(show_regions({1, 2, 1}), testing::ExitedWithCode(0), "^1/1\n1/2\n1/2\n1/1\n$");
}

TEST(openmp_display_affinity, the_names_of_clang_do_the_same) {
    char text[16];
    function<void(const char*)>("ompc_set_affinity_format")("%n-%N");
    EXPECT_EQ(function<std::size_t(char*, std::size_t)>("ompc_get_affinity_format")(text, sizeof text), 5);
    EXPECT_STREQ(text, "%n-%N");
    EXPECT_EQ(
        function<std::size_t(char*, std::size_t, const char*)>("ompc_capture_affinity")(text, sizeof text, nullptr),
        3);
    EXPECT_STREQ(text, "0-1");
    testing::internal::CaptureStdout();
    function<void(const char*)>("ompc_display_affinity")("thread %n");
    function<void(const char*)>("omp_display_affinity")(nullptr);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "thread 0\n0-1\n");
}

}  // namespace
