// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text in which a thread says where it may run (OpenMP 5.1, sections 6.14 and 3.2.8 to 3.2.11), and the
// affinity-format-var, which is its usual form. A format has fields, as "%n" or "%{thread_num}". Between the percent
// sign and the name there may be a width; in front of the width a point, which puts the blanks before the value and not
// after it; and in front of the point a zero, which makes them zeros. Any thread may call any function.
#pragma once

#include <teff/frontends/openmp/core/teams/place.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace teff::openmp {

// Writes what fits into `to`, with a zero at its end, and returns the length of the whole text.
std::size_t write_affinity(std::span<char> to, std::string_view format, const place& caller) noexcept;

// Sets the format that is used where none is given.
void set_affinity_format(std::string_view format) noexcept;
// Writes what fits into `to`, with a zero at its end, and returns the length of the format.
std::size_t get_affinity_format(std::span<char> to) noexcept;

// An empty format means the affinity-format-var, here and below. Writes as write_affinity() does.
std::size_t capture_affinity(const place& caller, std::span<char> to, std::string_view format) noexcept;
// Writes a line to stdout.
void display_affinity(const place& caller, std::string_view format) noexcept;

// With OMP_DISPLAY_AFFINITY each thread of a new region writes a line, unless the last region of the opening thread had
// the same size, level and binding. Called by the opening thread.
bool is_new_to_display(const place& opener, const team& next) noexcept;

}  // namespace teff::openmp
