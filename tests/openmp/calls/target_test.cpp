// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What target constructs do if OMP_TARGET_OFFLOAD is mandatory, and forms of the calls that GCC 12 and Clang 19 do not
// generate in the programs of tests/openmp/programs.
#include "functions.hpp"

#include <cstddef>

namespace {

using openmp_calls::function;

using size = std::size_t;

void begin(void** addresses) { *static_cast<int*>(addresses[0]) += 1; }
using region = void(void**);

void run_target(int device, int& runs) {
    void* addresses[] = {&runs};
    const size sizes[] = {sizeof runs};
    const unsigned short kinds[] = {0x203};
    function<void(int, region*, size, void**, const size*, const unsigned short*, unsigned, void**, void**)>(
        "GOMP_target_ext")(device, begin, 1, addresses, sizes, kinds, 0, nullptr, nullptr);
}
void demand_a_device() { function<void(const char*)>("kmp_set_defaults")("OMP_TARGET_OFFLOAD=mandatory"); }

constexpr int default_device = -1, if_false = -2;

TEST(openmp_target, any_device_is_the_host) {
    int runs = 0;
    for (const int device : {default_device, if_false, 0, 1, 100})
        run_target(device, runs);
    EXPECT_EQ(runs, 5);
    void* addresses[] = {&runs};
    function<void(int, region*, const void*, size, void**, const size*, const unsigned char*)>("GOMP_target")(
        default_device, begin, nullptr, 1, addresses, nullptr, nullptr);
    EXPECT_EQ(runs, 6);
    for (const char* const call : {"GOMP_target_data", "GOMP_target_update"})
        function<void(int, const void*, size, void**, const size*, const unsigned char*)>(call)(
            default_device, nullptr, 1, addresses, nullptr, nullptr);
    function<void()>("GOMP_target_end_data")();
}

TEST(openmp_target, mandatory_devices_end_the_program) {
    constexpr const char* line = "^OMP: Error #[0-9]+: .*no device.*OMP_TARGET_OFFLOAD is mandatory.*\n$";
    int runs = 0;
    // A region that is for the host runs.
    EXPECT_EXIT(
        {
            demand_a_device();
            run_target(0, runs);
            run_target(if_false, runs);
            if (runs == 2)
                run_target(1, runs);
        },
        testing::ExitedWithCode(1), line);
    EXPECT_EXIT(
        {
            demand_a_device();
            function<void(int, size, void**, const size*, const unsigned short*, unsigned, void**)>(
                "GOMP_target_enter_exit_data")(3, 0, nullptr, nullptr, nullptr, 0, nullptr);
        },
        testing::ExitedWithCode(1), line);
    EXPECT_EXIT(
        {
            demand_a_device();
            function<void*(void*, int, int, size, size, void*, std::int64_t)>("__kmpc_omp_target_task_alloc")(
                nullptr, 0, 1, 64, 0, nullptr, 1);
        },
        testing::ExitedWithCode(1), line);
}

// The environment has to say so before the runtime starts.
TEST(openmp_target, the_default_device_is_none_if_devices_are_mandatory) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            demand_a_device();
            int runs = 0;
            run_target(default_device, runs);
        },
        testing::ExitedWithCode(1), "no device");
}

TEST(openmp_target, nothing_waits_for_a_device) {
    EXPECT_EQ(function<std::int32_t(std::int32_t)>("__kmpc_omp_has_task_team")(0), 0);
    EXPECT_EQ(function<void**(std::int32_t)>("__kmpc_omp_get_target_async_handle_ptr")(0), nullptr);
}

TEST(openmp_target, a_thread_limit_holds_for_the_task) {
    const auto limit = function<int()>("omp_get_thread_limit");
    const int before = limit();
    struct block {
        void* shareds;
        std::int32_t (*routine)(std::int32_t, block*);
        std::int32_t part;
        void* data[2];
    };
    auto* const made = function<block*(void*, int, int, size, size, std::int32_t (*)(std::int32_t, block*))>(
        "__kmpc_omp_task_alloc")(nullptr, 0, 1, sizeof(block), 0, nullptr);
    function<void(void*, int, block*)>("__kmpc_omp_task_begin_if0")(nullptr, 0, made);
    function<void(void*, int, int)>("__kmpc_set_thread_limit")(nullptr, 0, 3);
    EXPECT_EQ(limit(), 3);
    function<void(void*, int, block*)>("__kmpc_omp_task_complete_if0")(nullptr, 0, made);
    EXPECT_EQ(limit(), before);
}

}  // namespace
