// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The traits of a memory allocator (OpenMP 5.1, section 2.13.2), as omp_init_allocator() gets them and as the text of
// OMP_ALLOCATOR (section 6.22) has them: the name of a predefined allocator or memory space, and for a memory space
// traits.
//
// All memory spaces are the machine's memory, so the traits `access` and `sync_hint` are checked and change nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace teff::openmp {

using allocator_handle = std::uintptr_t;
inline constexpr allocator_handle null_allocator = 0;

// A trait as the user gives it; the numbers are those of omp.h.
struct allocator_trait {
    std::int32_t key;
    std::uintptr_t value;
};

// The effect of a failed request, in the order of omp_alloctrait_value_t.
enum class fallback : unsigned char { default_memory, null, abort, allocator };

// The NUMA nodes on which the memory lies (data/pages.hpp).
enum class partition : unsigned char { environment, nearest, blocked, interleaved };

struct allocator_traits {
    std::size_t alignment = 1;
    std::size_t pool_size = SIZE_MAX;
    fallback on_failure = fallback::default_memory;
    allocator_handle next = null_allocator;  // for fallback::allocator
    bool is_pinned = false;
    partition where = partition::environment;

    bool wants_pages() const noexcept { return is_pinned || where != partition::environment; }
};

// Sets the given traits. Returns false, after a warning, if a trait is wrong.
[[nodiscard]] bool read_traits(int count, const allocator_trait* given, allocator_traits& made) noexcept;

}  // namespace teff::openmp

namespace teff::openmp::environment {

struct allocator_text {
    std::uintptr_t allocator = 1;  // the handle; for a memory space, that of the predefined allocator that uses it
    std::uintptr_t space = 0;      // the memory space, if there are traits
    std::array<allocator_trait, 8> traits{};
    unsigned trait_count = 0;
};

bool parse_allocator(std::string_view text, allocator_text& result) noexcept;

}  // namespace teff::openmp::environment
