// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The traits of a memory allocator (OpenMP 5.1, section 2.13.2), and how they are read.
//
// All memory spaces are the machine's memory, so the traits `access` and `sync_hint` are checked and change nothing.
#pragma once

#include <cstddef>
#include <cstdint>

namespace teff::openmp {

using allocator_handle = std::uintptr_t;
inline constexpr allocator_handle null_allocator = 0;

// As the user gives it; the numbers are those of omp.h.
struct allocator_trait {
    std::int32_t key;
    std::uintptr_t value;
};

// What a request does that fails, in the order of omp_alloctrait_value_t.
enum class fallback : unsigned char { default_memory, null, abort, allocator };

// The NUMA nodes that the memory lies on (data/pages.hpp).
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

// Sets what is given. Returns false, after a warning, if a trait is wrong.
[[nodiscard]] bool read_traits(int count, const allocator_trait* given, allocator_traits& made) noexcept;

}  // namespace teff::openmp
