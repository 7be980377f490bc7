// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces teff/base/atomic.hpp in the model build: it has the same names and passes each operation to the checker.
//
// The types are in an inline namespace of their own. So an object file of the model build and one of an ordinary
// build fail to link if they share atomics. Values have at most eight bytes. The object contains the newest value,
// and the checker keeps the older ones. Outside a checked execution (static initialisation, the runner) operations
// act on the object directly.
#pragma once

#include <model/operations.hpp>
#include <teff/base/shared_data.hpp>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <type_traits>

namespace teff {
inline namespace model_checked {

using site = std::source_location;

template <class T>
class atomic {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));

public:
    constexpr atomic() noexcept { announce(); }
    constexpr explicit atomic(T value) noexcept : value_(value) { announce(); }
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

    T load(std::memory_order order, site where = site::current()) const noexcept {
        return from_bits(model::atomic_load(&value_, sizeof(T), order, where));
    }
    void store(T value, std::memory_order order, site where = site::current()) noexcept {
        model::atomic_store(&value_, sizeof(T), to_bits(value), order, where);
    }
    T exchange(T value, std::memory_order order, site where = site::current()) noexcept {
        return modify(model::modification::exchange, value, order, where);
    }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order success, std::memory_order failure,
                                 site where = site::current()) noexcept {
        return compare_exchange(expected, desired, success, failure, false, where);
    }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order success, std::memory_order failure,
                               site where = site::current()) noexcept {
        return compare_exchange(expected, desired, success, failure, true, where);
    }

    T fetch_add(T value, std::memory_order order, site where = site::current()) noexcept {
        return modify(model::modification::add, value, order, where);
    }
    T fetch_sub(T value, std::memory_order order, site where = site::current()) noexcept {
        return modify(model::modification::subtract, value, order, where);
    }
    T fetch_or(T value, std::memory_order order, site where = site::current()) noexcept {
        return modify(model::modification::bit_or, value, order, where);
    }
    T fetch_and(T value, std::memory_order order, site where = site::current()) noexcept {
        return modify(model::modification::bit_and, value, order, where);
    }

    const void* address() const noexcept { return &value_; }

private:
    constexpr void announce() noexcept {
        if (!std::is_constant_evaluated())
            model::begin_lifetime(&value_);
    }
    static std::uint64_t to_bits(T value) noexcept {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof value);
        return bits;
    }
    static T from_bits(std::uint64_t bits) noexcept {
        alignas(T) std::byte raw[sizeof(T)];
        std::memcpy(raw, &bits, sizeof raw);
        return __builtin_bit_cast(T, raw);
    }
    T modify(model::modification kind, T operand, std::memory_order order, const site& where) noexcept {
        return from_bits(model::atomic_modify(&value_, sizeof(T), kind, to_bits(operand), order, where));
    }
    bool compare_exchange(T& expected, T desired, std::memory_order success, std::memory_order failure, bool weak,
                          const site& where) noexcept {
        std::uint64_t seen = to_bits(expected);
        const bool done =
            model::atomic_compare_exchange(&value_, sizeof(T), seen, to_bits(desired), success, failure, weak, where);
        if (!done)
            expected = from_bits(seen);
        return done;
    }

    T value_{};
};

inline void atomic_thread_fence(std::memory_order order, site where = site::current()) noexcept {
    model::fence(order, where);
}

}  // namespace model_checked
}  // namespace teff
