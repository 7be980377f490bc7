// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far apart two fields must stand so that writing one does not slow down readers of the other.
//
// false_sharing_range is two lines: the adjacent-line prefetcher of common x86-64 processors moves lines in pairs.
// Not std::hardware_destructive_interference_size: its value depends on tuning flags, and this one is part of the ABI.
#pragma once

#include <cstddef>

namespace teff {

inline constexpr std::size_t cache_line_size = 64;
inline constexpr std::size_t false_sharing_range = 128;

}  // namespace teff
