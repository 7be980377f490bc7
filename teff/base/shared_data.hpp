// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For structures that threads share: the distance between fields of different writers, and the mark of ordinary data
// that a protocol publishes. It is apart from atomic.hpp, which the model checker replaces.
#pragma once

#include <cstddef>
#include <utility>

namespace teff {

// The distance between two fields from which on a write to one does not slow down readers of the other.
// false_sharing_range is two lines: the adjacent-line prefetcher of common x86-64 processors moves lines in pairs.
// Rejected: std::hardware_destructive_interference_size, whose value depends on tuning flags; this value is part of the
// ABI.
inline constexpr std::size_t cache_line_size = 64;
inline constexpr std::size_t false_sharing_range = 128;

// Non-atomic data that threads share under a protocol (published by a release, read after an acquire). The type only
// documents the sharing; the model checker sees every access to ordinary memory anyway.
template <class T>
class plain {
public:
    constexpr plain() noexcept = default;
    constexpr explicit plain(T value) noexcept : value_(std::move(value)) {}

    const T& read() const noexcept { return value_; }
    void write(T value) noexcept { value_ = std::move(value); }
    T& ref() noexcept { return value_; }

private:
    T value_{};
};

}  // namespace teff
