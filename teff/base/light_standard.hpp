// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces a few functions of <algorithm>, <memory> and <random> in headers that users include: these three standard
// headers take longer to compile than all headers of a scheduler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

namespace teff {

// The smaller and the larger of two numbers, and a number within bounds.
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

// address_of() ignores an overloaded operator &. The other functions destroy and construct objects in memory that the
// caller has allocated.
template <class T>
constexpr T* address_of(T& object) noexcept {
    return __builtin_addressof(object);
}

template <class T>
constexpr void end_life(T* object) noexcept {
    object->~T();
}
// Destroys the objects in [first, end), in this order.
template <class T>
constexpr void end_lives(T* first, T* end) noexcept {
    for (; first != end; ++first)
        first->~T();
}

// Default-initialises `count` objects at `first`. If a constructor throws, those before it are destroyed.
template <class T>
void begin_lives(T* first, std::size_t count) {
    std::size_t made = 0;
    try {
        for (; made != count; ++made)
            ::new (static_cast<void*>(first + made)) T;
    } catch (...) {
        end_lives(first, first + made);
        throw;
    }
}

// A small pseudo-random generator (xorshift64*, Vigna 2014) for choosing victims; one per worker, not shared.
class random_generator {
public:
    // Accepts any seed. The state is made nonzero, since the generator would never leave a state of zero.
    explicit constexpr random_generator(std::uint64_t seed) noexcept : state_(seed * 0x9E3779B97F4A7C15U | 1U) {}

    constexpr std::uint64_t next() noexcept {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return state_ * 0x2545F4914F6CDD1DU;
    }

    // A number in [0, bound); bound > 0. The bias is below bound / 2^32.
    constexpr std::uint32_t below(std::uint32_t bound) noexcept {
        return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
    }

private:
    std::uint64_t state_;
};

}  // namespace teff
