// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Alignment, nullptr instead of an abort, and objects whose constructor throws.
#include <teff/base/allocation.hpp>

#include <tests/conformance/tracked.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace {

TEST(allocation, gives_memory_of_every_alignment) {
    for (std::size_t alignment = 1; alignment <= 4096; alignment *= 2)
        for (const std::size_t size : {std::size_t{1}, alignment, 3 * alignment + 1}) {
            void* const memory = teff::allocate(size, alignment);
            ASSERT_NE(memory, nullptr) << size << " bytes at " << alignment;
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % alignment, 0U);
            std::memset(memory, 0x5A, size);
            teff::deallocate(memory, size, alignment);
        }
}

// Skipped under sanitizers, whose allocators abort the program at such a size.
TEST(allocation, answers_when_there_is_no_memory) {
    if (conformance::sanitized)
        GTEST_SKIP();
    // volatile: otherwise the compiler sees the size and warns.
    const volatile std::size_t too_much = std::numeric_limits<std::size_t>::max() / 2;
    for (const std::size_t alignment : {std::size_t{8}, std::size_t{256}})
        EXPECT_EQ(teff::allocate(too_much, alignment), nullptr);
}

TEST(allocation, nothing_can_be_given_back) { teff::deallocate(nullptr, 0, 8); }

struct alignas(256) counted {
    explicit counted(int& its_count) : count(its_count) { ++count; }
    ~counted() { --count; }
    int& count;
};

TEST(allocation, creates_and_destroys_an_object) {
    int living = 0;
    auto* const object = teff::create<counted>(living);
    ASSERT_NE(object, nullptr);
    EXPECT_EQ(living, 1);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(object) % 256, 0U);
    teff::destroy(object);
    EXPECT_EQ(living, 0);
    teff::destroy(static_cast<counted*>(nullptr));
}

struct failing {
    failing() { throw std::runtime_error("no"); }
};

// AddressSanitizer reports a leak if the memory is not freed.
TEST(allocation, passes_on_what_a_constructor_throws) {
    EXPECT_THROW(static_cast<void>(teff::create<failing>()), std::runtime_error);
}

}  // namespace
