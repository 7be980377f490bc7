// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The smaller and the larger of two numbers, and a number within bounds.
//
// For headers that users include: <algorithm> takes a compiler longer than all of a scheduler's headers.
#pragma once

namespace teff {

template <class Number>
constexpr Number smaller(Number a, Number b) noexcept {
    return b < a ? b : a;
}
template <class Number>
constexpr Number larger(Number a, Number b) noexcept {
    return a < b ? b : a;
}
// least <= most.
template <class Number>
constexpr Number within(Number value, Number least, Number most) noexcept {
    return smaller(larger(value, least), most);
}

}  // namespace teff
