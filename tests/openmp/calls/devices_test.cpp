// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Routines for devices, their memory, interoperability, tools and pauses, and the flush and error directives, through
// their symbols.
#include "functions.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>

namespace {

using openmp_calls::function;
using openmp_calls::on_threads;

using size = std::size_t;

TEST(openmp_devices, the_host_is_the_only_one) {
    for (const std::string spelling : {"", "_"}) {
        EXPECT_EQ(function<int()>("omp_get_num_devices" + spelling)(), 0);
        EXPECT_EQ(function<int()>("omp_get_initial_device" + spelling)(), 0);
        EXPECT_EQ(function<int()>("omp_get_device_num" + spelling)(), 0);
        EXPECT_EQ(function<int()>("omp_is_initial_device" + spelling)(), 1);
    }
    for (const char* const call : {"GOMP_offload_register", "GOMP_offload_unregister"}) {
        function<void(const void*, int, const void*)>(call)(nullptr, 1, nullptr);
        function<void(unsigned, const void*, int, const void*)>(std::string(call) + "_ver")(0, nullptr, 1, nullptr);
    }
}

TEST(openmp_devices, its_memory_is_the_program_s) {
    const auto allocate = function<void*(size, int)>("omp_target_alloc");
    void* const memory = allocate(100, 0);
    ASSERT_NE(memory, nullptr);
    std::memset(memory, 1, 100);
    for (const int other : {-1, 1, 7}) {
        EXPECT_EQ(allocate(100, other), nullptr);
        function<void(void*, int)>("omp_target_free")(memory, other);
        EXPECT_EQ(function<int(const void*, int)>("omp_target_is_present")(memory, other), 0);
    }
    EXPECT_EQ(function<int(const void*, int)>("omp_target_is_present")(memory, 0), 1);
    EXPECT_NE(
        function<int(const void*, const void*, size, size, int)>("omp_target_associate_ptr")(memory, memory, 8, 0, 0),
        0);
    EXPECT_NE(function<int(const void*, int)>("omp_target_disassociate_ptr")(memory, 0), 0);
    function<void(void*, int)>("omp_target_free")(memory, 0);
    function<void(void*, int)>("omp_target_free")(nullptr, 0);
}

TEST(openmp_devices, memory_is_copied) {
    const auto copy = function<int(void*, const void*, size, size, size, int, int)>("omp_target_memcpy");
    char to[] = "........", from[] = "abcdefgh";
    EXPECT_EQ(copy(to, from, 3, 2, 4, 0, 0), 0);
    EXPECT_STREQ(to, "..efg...");
    EXPECT_NE(copy(to, from, 3, 0, 0, 1, 0), 0);
    EXPECT_NE(copy(to, from, 3, 0, 0, 0, -1), 0);
    EXPECT_STREQ(to, "..efg...");
    EXPECT_EQ(copy(nullptr, nullptr, 0, 0, 0, 0, 0), 0);
}

// A block of 2 x 3 x 2 integers, from an array of 4 x 5 x 6 to one of 3 x 4 x 3.
TEST(openmp_devices, blocks_of_arrays_are_copied) {
    const auto copy = function<int(void*, const void*, size, int, const size*, const size*, const size*, const size*,
                                   const size*, int, int)>("omp_target_memcpy_rect");
    int from[4][5][6], to[3][4][3] = {};
    std::iota(&from[0][0][0], &from[0][0][0] + 4 * 5 * 6, 1);
    const size volume[] = {2, 3, 2}, to_offsets[] = {1, 1, 1}, from_offsets[] = {2, 1, 3};
    const size to_dimensions[] = {3, 4, 3}, from_dimensions[] = {4, 5, 6};
    EXPECT_EQ(copy(to, from, sizeof(int), 3, volume, to_offsets, from_offsets, to_dimensions, from_dimensions, 0, 0),
              0);
    for (size i = 0; i < 3; ++i)
        for (size j = 0; j < 4; ++j)
            for (size k = 0; k < 3; ++k) {
                const bool is_inside = i >= 1 && j >= 1 && k >= 1;
                EXPECT_EQ(to[i][j][k], is_inside ? from[i + 1][j][k + 2] : 0) << i << ' ' << j << ' ' << k;
            }
    EXPECT_EQ(copy(nullptr, nullptr, 0, 0, nullptr, nullptr, nullptr, nullptr, nullptr, 0, 0), 0x7fff'ffff);
    EXPECT_NE(copy(to, from, sizeof(int), 0, volume, to_offsets, from_offsets, to_dimensions, from_dimensions, 0, 0),
              0);
    EXPECT_NE(copy(to, from, sizeof(int), 3, volume, to_offsets, from_offsets, to_dimensions, from_dimensions, 0, 1),
              0);
    const size too_far[] = {size{1} << 60, 1, 1};
    EXPECT_NE(copy(to, from, sizeof(int), 3, volume, to_offsets, too_far, to_dimensions, from_dimensions, 0, 0), 0);
}

TEST(openmp_interop, there_is_no_object) {
    constexpr int first = -9, fr_id = -1;
    EXPECT_EQ(function<int(const void*)>("omp_get_num_interop_properties")(nullptr), 0);
    for (int property = first; property <= fr_id; ++property) {
        int code = 77;
        EXPECT_EQ(function<std::intptr_t(const void*, int, int*)>("omp_get_interop_int")(nullptr, property, &code), 0);
        EXPECT_EQ(code, -1);
        const void* const none = nullptr;
        code = 77;
        EXPECT_EQ(function<void*(const void* const*, const int*, int*)>("omp_get_interop_ptr_")(&none, &property,
                                                                                                &code),
                  nullptr);
        EXPECT_EQ(code, -1);
        EXPECT_NE(function<const char*(const void*, int)>("omp_get_interop_name")(nullptr, property), nullptr);
        EXPECT_NE(function<const char*(const void*, int)>("omp_get_interop_type_desc")(nullptr, property), nullptr);
    }
    int code = 77;
    function<const char*(const void*, int, int*)>("omp_get_interop_str")(nullptr, 0, &code);
    EXPECT_EQ(code, -2);
    EXPECT_STREQ(function<const char*(const void*, int)>("omp_get_interop_name")(nullptr, fr_id), "fr_id");
    EXPECT_EQ(function<const char*(const void*, int)>("omp_get_interop_name")(nullptr, 0), nullptr);
    EXPECT_EQ(function<const char*(const void*, int)>("omp_get_interop_name")(nullptr, first - 1), nullptr);
    EXPECT_STREQ(function<const char*(const void*, int)>("omp_get_interop_rc_desc")(nullptr, 0), "success");
    EXPECT_EQ(function<const char*(const void*, int)>("omp_get_interop_rc_desc")(nullptr, 2), nullptr);
}

TEST(openmp_tools, there_is_none_to_control) {
    EXPECT_EQ(function<int(int, int, void*)>("omp_control_tool")(1, 0, nullptr), -2);
    const int command = 1, modifier = 0;
    EXPECT_EQ(function<int(const int*, const int*, void*)>("omp_control_tool_")(&command, &modifier, nullptr), -2);
}

void pause_inside(void* result) {
    *static_cast<int*>(result) = function<int(int, int)>("omp_pause_resource")(1, 0);
}

TEST(openmp_pause, is_possible_outside_of_regions) {
    for (const int kind : {1, 2}) {
        const int host = 0;
        EXPECT_EQ(function<int(int, int)>("omp_pause_resource")(kind, 0), 0);
        EXPECT_EQ(function<int(const int*, const int*)>("omp_pause_resource_")(&kind, &host), 0);
        EXPECT_EQ(function<int(int)>("omp_pause_resource_all")(kind), 0);
        EXPECT_EQ(function<int(const int*)>("omp_pause_resource_all_")(&kind), 0);
        EXPECT_EQ(function<int(int)>("__kmpc_pause_resource")(kind), 0);
        EXPECT_NE(function<int(int, int)>("omp_pause_resource")(kind, 3), 0);
    }
    EXPECT_NE(function<int(int)>("omp_pause_resource_all")(9), 0);
    int result = 77;
    function<void(void (*)(void*), void*, unsigned, unsigned)>("GOMP_parallel")(pause_inside, &result, 1, 0);
    EXPECT_NE(result, 0);
    EXPECT_NE(result, 77);
}

// Without the fence, both threads may read 0: each store is still in the buffer of its processor.
TEST(openmp_flush, orders_a_store_before_a_load) {
    const auto flush = function<void(void*)>("__kmpc_flush");
    for (unsigned round = 0; round < 500; ++round) {
        std::int32_t stored[2] = {0, 0}, seen[2] = {-1, -1};
        on_threads(2, [&](unsigned number) {
            __atomic_store_n(&stored[number], 1, __ATOMIC_RELAXED);
            flush(nullptr);
            seen[number] = __atomic_load_n(&stored[1 - number], __ATOMIC_RELAXED);
        });
        ASSERT_NE(seen[0] + seen[1], 0);
    }
}

struct place_in_source {
    std::int32_t unused[4] = {0, 2, 0, 0};
    const char* text = ";file.c;main;12;3;;";
};

TEST(openmp_error_directive, warns_and_goes_on) {
    place_in_source place;
    testing::internal::CaptureStderr();
    function<void(void*, int, const char*)>("__kmpc_error")(&place, 1, "take care");
    function<void(void*, int, const char*)>("__kmpc_error")(nullptr, 1, nullptr);
    function<void(const char*, size)>("GOMP_warning")("take care, please", 9);
    function<void(const char*, size)>("GOMP_warning")("take care, please", SIZE_MAX);
    function<void(const char*, size)>("GOMP_warning")(nullptr, 0);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "OMP: Warning #283: file.c:12:3: Encountered user-directed warning: take care.\n"
              "OMP: Warning #283: unknown: Encountered user-directed warning: no message.\n"
              "\nlibgomp: error directive encountered: take care\n"
              "\nlibgomp: error directive encountered: take care, please\n"
              "\nlibgomp: error directive encountered\n");
}

TEST(openmp_error_directive, ends_the_program_in_order) {
    place_in_source place;
    EXPECT_EXIT(
        {
            std::atexit([] { std::fputs("handlers run\n", stderr); });
            function<void(void*, int, const char*)>("__kmpc_error")(&place, 2, "enough");
        },
        testing::ExitedWithCode(1), "file.c:12:3: Encountered user-directed error: enough.\nhandlers run");
    EXPECT_EXIT(function<void(const char*, size)>("GOMP_error")("enough", SIZE_MAX), testing::ExitedWithCode(1),
                "libgomp: fatal error: error directive encountered: enough");
}

}  // namespace
