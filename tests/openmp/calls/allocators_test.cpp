// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory routines through their symbols; core/data/allocator_test.cpp tests what they mean.
#include "functions.hpp"

#include <cstdlib>
#include <cstring>

namespace {

using openmp_calls::function;

using handle = std::uintptr_t;
using size = std::size_t;

struct trait {
    std::int32_t key;
    std::uintptr_t value;
};

constexpr size alignment = 512, bytes = 100;

bool is_aligned(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory) % alignment == 0; }

void use_and_free(void* block, const char* by, handle from) {
    ASSERT_NE(block, nullptr);
    std::memset(block, 0xa5, bytes);
    if (std::string(by) == "kmp_free_")
        function<void(void**)>(by)(&block);
    else if (by[0] == '_')
        function<void(int, void*, handle)>(by)(0, block, from);
    else
        function<void(void*, handle)>(by)(block, from);
}
bool is_zero(const void* block) {
    const std::string zeros(bytes, '\0');
    return block != nullptr && std::memcmp(block, zeros.data(), bytes) == 0;
}

TEST(openmp_allocators, give_memory_with_the_traits_and_take_it_back) {
    const trait traits[] = {{2, alignment}, {4, 10 * bytes}, {5, 12}};
    const std::uintptr_t space = 0;
    const std::int32_t count = 3;
    const std::int64_t count_8 = 3;
    const handle made[] = {
        function<handle(handle, int, const trait*)>("omp_init_allocator")(0, 3, traits),
        function<handle(const handle*, const std::int32_t*, const trait*)>("omp_init_allocator_")(&space, &count,
                                                                                                  traits),
        function<handle(const handle*, const std::int64_t*, const trait*)>("omp_init_allocator_8_")(&space, &count_8,
                                                                                                    traits),
        function<handle(int, handle, int, const trait*)>("__kmpc_init_allocator")(0, 0, 3, traits)};
    for (const handle from : made) {
        ASSERT_NE(from, 0U);
        // It is over the pool, and there is no fallback.
        EXPECT_EQ(function<void*(size, handle)>("omp_alloc")(11 * bytes, from), nullptr);
        void* block = function<void*(size, handle)>("omp_alloc")(bytes, from);
        EXPECT_TRUE(is_aligned(block));
        use_and_free(block, "omp_free", from);
        block = function<void*(size, size, handle)>("omp_aligned_alloc")(64, bytes, from);
        EXPECT_TRUE(is_aligned(block));
        use_and_free(block, "omp_free", 0);
        block = function<void*(size, size, handle)>("omp_calloc")(bytes / 4, 4, from);
        EXPECT_TRUE(is_aligned(block) && is_zero(block));
        use_and_free(block, "GOMP_free", from);
        block = function<void*(size, size, size, handle)>("omp_aligned_calloc")(16, bytes / 4, 4, from);
        EXPECT_TRUE(is_aligned(block) && is_zero(block));
        block = function<void*(void*, size, handle, handle)>("omp_realloc")(block, 2 * bytes, from, from);
        EXPECT_TRUE(is_aligned(block) && is_zero(block));
        block = function<void*(int, void*, size, handle, handle)>("__kmpc_realloc")(0, block, 3 * bytes, 1, from);
        EXPECT_TRUE(is_zero(block));
        use_and_free(block, "omp_free", 1);
        block = function<void*(size, size, handle)>("GOMP_alloc")(8, bytes, from);
        EXPECT_TRUE(is_aligned(block));
        use_and_free(block, "GOMP_free", from);
        block = function<void*(int, size, handle)>("__kmpc_alloc")(0, bytes, from);
        EXPECT_TRUE(is_aligned(block));
        use_and_free(block, "__kmpc_free", 0);
        block = function<void*(int, size, size, handle)>("__kmpc_aligned_alloc")(0, 8, bytes, from);
        EXPECT_TRUE(is_aligned(block));
        use_and_free(block, "__kmpc_free", from);
        block = function<void*(int, size, size, handle)>("__kmpc_calloc")(0, bytes, 1, from);
        EXPECT_TRUE(is_aligned(block) && is_zero(block));
        use_and_free(block, "__kmpc_free", from);
    }
    function<void(handle)>("omp_destroy_allocator")(made[0]);
    function<void(const handle*)>("omp_destroy_allocator_")(&made[1]);
    function<void(int, handle)>("__kmpc_destroy_allocator")(0, made[2]);
    function<void(handle)>("omp_destroy_allocator")(made[3]);
}

TEST(openmp_allocators, the_default_is_set_and_asked_in_each_spelling) {
    const auto get = function<handle()>("omp_get_default_allocator");
    EXPECT_EQ(get(), 1U);
    function<void(handle)>("omp_set_default_allocator")(4);
    EXPECT_EQ(get(), 4U);
    const handle five = 5;
    function<void(const handle*)>("omp_set_default_allocator_")(&five);
    EXPECT_EQ(function<handle()>("omp_get_default_allocator_")(), 5U);
    function<void(int, handle)>("__kmpc_set_default_allocator")(0, 1);
    EXPECT_EQ(function<handle(int)>("__kmpc_get_default_allocator")(0), 1U);
}

// In a process of its own, since the environment is read once.
TEST(openmp_allocators, the_environment_chooses_the_default_and_its_traits) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    ::setenv("OMP_ALLOCATOR", "omp_default_mem_space:alignment=512,pool_size=1000,fallback=null_fb", 1);
    EXPECT_EXIT(
        {
            const auto allocate = function<void*(size, handle)>("omp_alloc");
            const bool is_as_wanted = is_aligned(allocate(bytes, 0)) && is_aligned(allocate(2 * bytes, 0)) &&
                                      allocate(bytes, 0) != nullptr && allocate(1000, 0) == nullptr;
            std::_Exit(is_as_wanted ? 7 : 8);
        },
        testing::ExitedWithCode(7), "");
    ::setenv("OMP_ALLOCATOR", "omp_thread_mem_alloc", 1);
    EXPECT_EXIT(std::_Exit(static_cast<int>(function<handle()>("omp_get_default_allocator")())),
                testing::ExitedWithCode(8), "");
    ::unsetenv("OMP_ALLOCATOR");
}

TEST(openmp_allocators, intel_s_functions_do_what_malloc_does) {
    const size n = bytes, one = 1, twice = 2 * bytes, to = alignment;
    for (const char* const prefix : {"kmp_", "kmpc_"}) {
        const std::string name = prefix;
        void* block = function<void*(size)>(name + "malloc")(bytes);
        use_and_free(block, (name + "free").c_str(), 0);
        block = function<void*(size, size)>(name + "aligned_malloc")(bytes, alignment);
        EXPECT_TRUE(is_aligned(block));
        block = function<void*(void*, size)>(name + "realloc")(block, twice);
        use_and_free(block, (name + "free").c_str(), 0);
        block = function<void*(size, size)>(name + "calloc")(bytes, 1);
        EXPECT_TRUE(is_zero(block));
        use_and_free(block, (name + "free").c_str(), 0);
        block = function<void*(size)>(name + "malloc")(0);
        EXPECT_NE(block, nullptr);
        function<void(void*)>(name + "free")(block);
        function<void(void*)>(name + "free")(nullptr);
    }
    void* block = function<void*(const size*)>("kmp_malloc_")(&n);
    use_and_free(block, "kmp_free_", 0);
    block = function<void*(const size*, const size*)>("kmp_aligned_malloc_")(&n, &to);
    EXPECT_TRUE(is_aligned(block));
    use_and_free(block, "kmp_free_", 0);
    block = function<void*(const size*, const size*)>("kmp_calloc_")(&n, &one);
    EXPECT_TRUE(is_zero(block));
    block = function<void*(void**, const size*)>("kmp_realloc_")(&block, &twice);
    EXPECT_TRUE(is_zero(block));
    use_and_free(block, "kmp_free_", 0);
}

TEST(openmp_allocators, the_compilers_calls_end_the_program_without_memory) {
    EXPECT_DEATH(function<void*(int, size, handle)>("__kmpc_alloc")(0, SIZE_MAX - 100, 1),
                 "no memory for a variable with an allocate clause");
    EXPECT_DEATH(function<void*(int, size, size, handle)>("__kmpc_aligned_alloc")(0, 64, SIZE_MAX - 100, 1),
                 "no memory for a variable with an allocate clause");
    EXPECT_DEATH(function<void*(size, size, handle)>("GOMP_alloc")(8, SIZE_MAX - 100, 1),
                 "no memory for a variable with an allocate clause");
    EXPECT_EQ(function<void*(size, size, handle)>("GOMP_alloc")(8, 0, 1), nullptr);
}

}  // namespace
