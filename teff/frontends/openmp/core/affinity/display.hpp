// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The affinity-format-var, and lines in this form (format.hpp). Any thread may call any function.
#pragma once

#include <teff/frontends/openmp/core/teams/place.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace teff::openmp {

// The format that is used if none is given.
void set_affinity_format(std::string_view format) noexcept;
// Writes what fits into `to`, with a zero at its end, and returns the length of the format.
std::size_t get_affinity_format(std::span<char> to) noexcept;

// An empty format means the affinity-format-var.
// Writes as write_affinity() does.
std::size_t capture_affinity(const place& caller, std::span<char> to, std::string_view format) noexcept;
// Writes a line to stdout.
void display_affinity(const place& caller, std::string_view format) noexcept;

// With OMP_DISPLAY_AFFINITY each thread of a new region writes a line, unless the last region of the opening thread had
// the same size, level and binding. Called by the opening thread.
bool is_new_to_display(const place& opener, const team& next) noexcept;

}  // namespace teff::openmp
