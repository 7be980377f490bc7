// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value of OMP_ALLOCATOR (OpenMP 5.1, section 6.22): the name of a predefined allocator or memory space, and for
// the latter traits.
#pragma once

#include <teff/frontends/openmp/core/environment/allocator_traits.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace teff::openmp::environment {

struct allocator_text {
    std::uintptr_t allocator = 1;  // the handle; for a memory space, of the predefined allocator that uses it
    std::uintptr_t space = 0;      // the memory space, if there are traits
    std::array<allocator_trait, 8> traits{};
    unsigned trait_count = 0;
};

bool parse_allocator(std::string_view text, allocator_text& result) noexcept;

}  // namespace teff::openmp::environment
