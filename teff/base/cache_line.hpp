// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The distance between two fields from which on a write to one does not slow down readers of the other.
//
// false_sharing_range is two lines: the adjacent-line prefetcher of common x86-64 processors moves lines in pairs.
// Rejected: std::hardware_destructive_interference_size, whose value depends on tuning flags; this value is part of the
// ABI.
#pragma once

#include <cstddef>

namespace teff {

inline constexpr std::size_t cache_line_size = 64;
inline constexpr std::size_t false_sharing_range = 128;

}  // namespace teff
