// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The form in which a thread says where it may run (OpenMP 5.1, sections 6.14 and 3.2.8 to 3.2.11): a text with fields,
// as "%n" or "%{thread_num}". Between the percent sign and the name may stand a width; before that a point, which puts
// blanks before the value and not after it, and before that a zero, with which they are zeros.
#pragma once

#include <teff/frontends/openmp/core/teams/place.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace teff::openmp {

// Writes what fits into `to`, with a zero at its end, and returns the length of the whole text.
std::size_t write_affinity(std::span<char> to, std::string_view format, const place& caller) noexcept;

}  // namespace teff::openmp
