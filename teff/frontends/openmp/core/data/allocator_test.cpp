// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks with each trait, exhausted pools, fallbacks, the life of an allocator, and mistakes of users.
#include <teff/frontends/openmp/core/data/allocator.hpp>
#include <teff/frontends/openmp/core/tasks/run.hpp>
#include <teff/frontends/openmp/core/tasks/submit.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace teff::openmp;

// The numbers of omp.h.
enum : std::int32_t {
    sync_hint = 1,
    alignment_key,
    access_key,
    pool_size,
    fallback_key,
    fb_data,
    pinned,
    partition_key
};
enum : std::uintptr_t {
    atv_true = 1,
    atv_default_mem_fb = 11,
    atv_null_fb = 12,
    atv_abort_fb = 13,
    atv_allocator_fb = 14,
    atv_environment = 15
};

allocator_handle made_of(const std::vector<allocator_trait>& traits) {
    return make_allocator(0, static_cast<int>(traits.size()), traits.data());
}
bool is_aligned(const void* memory, std::size_t alignment) {
    return reinterpret_cast<std::uintptr_t>(memory) % alignment == 0;
}
// Writes the whole block, and checks whether it was zero before.
bool was_zero(void* memory, std::size_t size) {
    auto* const bytes = static_cast<unsigned char*>(memory);
    bool all = true;
    for (std::size_t i = 0; i < size; ++i)
        all = all && bytes[i] == 0;
    std::memset(memory, 0xa5, size);
    return all;
}

TEST(openmp_allocator, predefined_ones_give_memory) {
    for (allocator_handle each = null_allocator; each <= last_predefined_allocator; ++each)
        for (const std::size_t size : {std::size_t{1}, std::size_t{100}, std::size_t{1} << 20}) {
            void* const block = allocate_block(each, 1, size, true);
            ASSERT_NE(block, nullptr);
            EXPECT_TRUE(is_aligned(block, 16));
            EXPECT_TRUE(was_zero(block, size));
            free_block(block);
        }
    EXPECT_EQ(allocate_block(default_allocator, 1, 0, false), nullptr);
    EXPECT_EQ(allocate_block(default_allocator, 1, SIZE_MAX - 100, false), nullptr);
    EXPECT_EQ(allocate_elements(default_allocator, 1, SIZE_MAX / 2, 3), nullptr);
    free_block(nullptr);
}

TEST(openmp_allocator, alignment_is_the_greater_of_trait_and_argument) {
    const allocator_handle made = made_of({{alignment_key, 256}});
    for (const std::size_t argument : {std::size_t{1}, std::size_t{64}, std::size_t{4096}}) {
        void* const block = allocate_block(made, argument, 24, true);
        EXPECT_TRUE(is_aligned(block, std::max(argument, std::size_t{256})));
        EXPECT_TRUE(was_zero(block, 24));
        free_block(block);
    }
    destroy_allocator(made);
}

TEST(openmp_allocator, pages_are_given_by_every_partition_and_pinned) {
    for (const std::uintptr_t where : {0U, 1U, 2U, 3U})
        for (const std::size_t size : {std::size_t{10}, std::size_t{1} << 18}) {
            const allocator_handle made = made_of({{partition_key, atv_environment + where}, {pinned, atv_true}});
            void* const block = allocate_block(made, 64, size, false);
            ASSERT_NE(block, nullptr);
            EXPECT_TRUE(is_aligned(block, 64));
            std::memset(block, 1, size);
            free_block(block);
            destroy_allocator(made);
        }
}

TEST(openmp_allocator, a_pool_runs_out_and_gets_its_bytes_back) {
    const allocator_handle made = made_of({{pool_size, 1000 + 2 * pool_overhead}, {fallback_key, atv_null_fb}});
    void* const first = allocate_block(made, 1, 600, false);
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(allocate_block(made, 1, 401, false), nullptr);
    void* const second = allocate_block(made, 1, 400, false);
    EXPECT_NE(second, nullptr);
    EXPECT_EQ(allocate_block(made, 1, 1, false), nullptr);
    free_block(first);
    void* const third = allocate_block(made, 1, 600, false);
    EXPECT_NE(third, nullptr);
    free_block(third);
    free_block(second);
    destroy_allocator(made);
}

TEST(openmp_allocator, a_failed_request_does_what_the_fallback_says) {
    const allocator_handle small = made_of({{pool_size, 100 + pool_overhead}, {fallback_key, atv_null_fb}});
    const allocator_handle next = made_of({{pool_size, 10}, {fallback_key, atv_allocator_fb}, {fb_data, small}});
    const allocator_handle unlimited = made_of({{pool_size, 10}});
    void* const fits_next = allocate_block(next, 1, 100, false);
    EXPECT_NE(fits_next, nullptr);
    EXPECT_EQ(allocate_block(next, 1, 100, false), nullptr);
    free_block(fits_next);
    void* const again = allocate_block(next, 1, 100, false);
    EXPECT_NE(again, nullptr);
    free_block(again);
    void* const from_default = allocate_block(unlimited, 1, 1000, true);
    EXPECT_TRUE(was_zero(from_default, 1000));
    free_block(from_default);
    EXPECT_EQ(allocate_elements(unlimited, 1, SIZE_MAX, 2), nullptr);
    const allocator_handle aborts = made_of({{pool_size, 10}, {fallback_key, atv_abort_fb}});
    EXPECT_DEATH(static_cast<void>(allocate_block(aborts, 1, 11, false)), "its fallback trait is abort_fb");
    for (const allocator_handle each : {small, next, unlimited, aborts})
        destroy_allocator(each);
}

TEST(openmp_allocator, a_block_is_resized_within_its_pool_and_between_allocators) {
    const allocator_handle one = made_of({{pool_size, 1000 + 2 * pool_overhead}, {fallback_key, atv_null_fb}});
    const allocator_handle aligned = made_of({{alignment_key, 512}});
    auto* block = static_cast<char*>(resize_block(nullptr, 600, one));
    ASSERT_NE(block, nullptr);
    std::memset(block, 'x', 600);
    const auto is_kept = [&block](std::size_t size) { return std::string(block, size) == std::string(size, 'x'); };
    // More than half of the pool: the resize takes only the difference.
    block = static_cast<char*>(resize_block(block, 1000, null_allocator));
    ASSERT_NE(block, nullptr);
    EXPECT_TRUE(is_kept(600));
    EXPECT_EQ(resize_block(block, 1001 + pool_overhead, one), nullptr);
    EXPECT_TRUE(is_kept(600));
    block = static_cast<char*>(resize_block(block, 300, one));
    EXPECT_TRUE(is_kept(300));
    void* const other = allocate_block(one, 1, 700, false);
    EXPECT_NE(other, nullptr);
    block = static_cast<char*>(resize_block(block, 400, aligned));
    EXPECT_TRUE(is_kept(300));
    EXPECT_TRUE(is_aligned(block, 512));
    block = static_cast<char*>(resize_block(block, 800, null_allocator));
    EXPECT_TRUE(is_kept(300));
    EXPECT_TRUE(is_aligned(block, 512));
    void* const rest = allocate_block(one, 1, 300, false);
    EXPECT_NE(rest, nullptr);
    EXPECT_EQ(resize_block(block, 0, null_allocator), nullptr);
    free_block(other);
    free_block(rest);
    destroy_allocator(one);
    destroy_allocator(aligned);
}

TEST(openmp_allocator, blocks_outlive_their_allocator) {
    const allocator_handle made = made_of({{pool_size, 1000}});
    void* const block = allocate_block(made, 1, 100, false);
    destroy_allocator(made);
    std::memset(block, 1, 100);
    free_block(block);
}

TEST(openmp_allocator, a_pool_counts_right_among_threads) {
    constexpr std::size_t size = 64, blocks = 10;
    const allocator_handle made = made_of({{pool_size, (size + pool_overhead) * blocks}, {fallback_key, atv_null_fb}});
    std::vector<std::thread> all;
    for (int i = 0; i < 4; ++i)
        all.emplace_back([made] {
            for (int round = 0; round < 2'000; ++round) {
                void* const one = allocate_block(made, 1, size, false);
                void* const two = allocate_block(made, 1, size, false);
                free_block(one);
                free_block(two);
            }
        });
    for (std::thread& each : all)
        each.join();
    std::vector<void*> taken;
    for (std::size_t i = 0; i < blocks; ++i) {
        taken.push_back(allocate_block(made, 1, size, false));
        EXPECT_NE(taken.back(), nullptr);
    }
    EXPECT_EQ(allocate_block(made, 1, 1, false), nullptr);
    for (void* const each : taken)
        free_block(each);
    destroy_allocator(made);
}

TEST(openmp_allocator, the_default_one_belongs_to_the_task) {
    EXPECT_EQ(default_allocator_of_task(), default_allocator);
    const allocator_handle made = made_of({{alignment_key, 1024}});
    run_at_once(this_place(), 0, [made] {
        set_default_allocator_of_task(made);
        EXPECT_EQ(default_allocator_of_task(), made);
        void* const block = allocate_block(null_allocator, 1, 8, false);
        EXPECT_TRUE(is_aligned(block, 1024));
        free_block(block);
        set_default_allocator_of_task(null_allocator);
        EXPECT_EQ(default_allocator_of_task(), default_allocator);
        set_default_allocator_of_task(made);
    });
    EXPECT_EQ(default_allocator_of_task(), default_allocator);
    destroy_allocator(made);
}

TEST(openmp_allocator, wrong_traits_give_none_and_a_line) {
    const std::vector<std::vector<allocator_trait>> wrong = {
        {{0, 1}},
        {{9, 1}},
        {{sync_hint, 2}},
        {{alignment_key, 0}},
        {{alignment_key, 24}},
        {{access_key, 11}},
        {{pool_size, 0}},
        {{fallback_key, 10}},
        {{fallback_key, atv_allocator_fb}},
        {{pinned, 2}},
        {{alignment_key, 64}, {partition_key, 19}},
    };
    for (const auto& each : wrong) {
        testing::internal::CaptureStderr();
        EXPECT_EQ(made_of(each), null_allocator);
        const std::string said = testing::internal::GetCapturedStderr();
        EXPECT_NE(said.find("omp_init_allocator: "), std::string::npos) << said;
    }
    testing::internal::CaptureStderr();
    EXPECT_EQ(make_allocator(5, 0, nullptr), null_allocator);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("memory space 5"), std::string::npos);
    // omp_atv_default
    std::vector<allocator_trait> defaults;
    for (std::int32_t key = sync_hint; key <= partition_key; ++key)
        defaults.push_back({key, ~std::uintptr_t{0}});
    const allocator_handle made = made_of(defaults);
    EXPECT_NE(made, null_allocator);
    destroy_allocator(made);
}

TEST(openmp_allocator, mistakes_get_a_line) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(allocate_block(77, 1, 8, false), nullptr);
    EXPECT_EQ(allocate_block(default_allocator, 24, 8, false), nullptr);
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find("0x4d is no memory allocator"), std::string::npos) << said;
    EXPECT_NE(said.find("alignment 24 is not a power of two"), std::string::npos) << said;
    alignas(16) std::byte no_block[128] = {};
    EXPECT_DEATH(free_block(no_block + 64), "the memory is not from an OpenMP allocator");
}

}  // namespace
