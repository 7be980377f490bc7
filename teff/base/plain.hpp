// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Non-atomic data that threads share under a protocol (published by a release, read after an acquire).
//
// The type only documents the sharing; the model checker sees every access to ordinary memory anyway.
#pragma once

#include <utility>

namespace teff {

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
