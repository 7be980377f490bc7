// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each atomic operation is compared with, and operands for it.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace openmp_calls {

__extension__ typedef _Complex float cmplx4;
__extension__ typedef _Complex double cmplx8;
__extension__ typedef _Complex long double cmplx10;

// Equal if the values are. An extended float has 10 bytes, and the others are padding.
template <class T>
std::string bytes_of(T value) {
    constexpr bool is_extended = std::is_same_v<T, long double> || std::is_same_v<T, cmplx10>;
    constexpr std::size_t stride = is_extended ? sizeof(long double) : sizeof(T);
    constexpr std::size_t part = is_extended ? 10 : sizeof(T);
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    std::string made;
    for (std::size_t i = 0; i < sizeof(T); i += stride)
        made.append(bytes + i, part);
    return made;
}

template <class T>
struct operation {
    T (*plain)(T, T) = nullptr;
    std::vector<T> left, right;  // no pair overflows or divides by zero
    T same = T();                // plain(x, same) == x
    T turn = T();                // plain(turn, plain(turn, x)) == x for x of 1 and 2
};

template <class T>
operation<T> operation_named(const std::string& name) {
    operation<T> made;
    for (const int value : {0, 1, 6, 100, -9})
        made.left.push_back(static_cast<T>(value));
    for (const int value : {1, 2, 7, -3})
        made.right.push_back(static_cast<T>(value));
    if (name == "add")
        made.plain = [](T a, T b) { return static_cast<T>(a + b); };
    else if (name == "sub")
        made.plain = [](T a, T b) { return static_cast<T>(a - b); };
    else if (name == "mul") {
        made.plain = [](T a, T b) { return static_cast<T>(a * b); };
        made.same = static_cast<T>(1);
    } else if (name == "div") {
        made.plain = [](T a, T b) { return static_cast<T>(a / b); };
        made.same = static_cast<T>(1);
        made.turn = static_cast<T>(6);
    }
    if constexpr (std::is_arithmetic_v<T>) {
        if (name == "max") {
            made.plain = [](T a, T b) { return a > b ? a : b; };
            made.same = std::numeric_limits<T>::lowest();
        } else if (name == "min") {
            made.plain = [](T a, T b) { return a < b ? a : b; };
            made.same = std::numeric_limits<T>::max();
        }
    }
    if constexpr (std::is_integral_v<T>) {
        if (name == "andb") {
            made.plain = [](T a, T b) { return static_cast<T>(a & b); };
            made.same = static_cast<T>(-1);
        } else if (name == "orb")
            made.plain = [](T a, T b) { return static_cast<T>(a | b); };
        else if (name == "xor" || name == "neqv")
            made.plain = [](T a, T b) { return static_cast<T>((a | b) & ~(a & b)); };
        else if (name == "eqv") {
            made.plain = [](T a, T b) { return static_cast<T>((a & b) | (~a & ~b)); };
            made.same = static_cast<T>(-1);
        } else if (name == "andl") {
            made.plain = [](T a, T b) { return static_cast<T>(a != 0 && b != 0 ? 1 : 0); };
            made.right.push_back(0);
        } else if (name == "orl") {
            made.plain = [](T a, T b) { return static_cast<T>(a != 0 || b != 0 ? 1 : 0); };
            made.right.push_back(0);
        } else if (name == "shl" || name == "shr") {
            if (name == "shl")
                made.plain = [](T a, T b) { return static_cast<T>(a << b); };
            else
                made.plain = [](T a, T b) { return static_cast<T>(a >> b); };
            made.right = {0, 1, 5};
        }
    }
    EXPECT_NE(made.plain, nullptr) << "no plain operation for " << name;
    return made;
}

}  // namespace openmp_calls
