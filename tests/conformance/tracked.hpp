// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values for the conformance tests: they count their instances, know their address, and fail on demand.
//
// A `tracked` value stores its own address. So the tests notice a value that is moved without its constructor,
// destroyed twice or used after its destruction; the number of live instances shows what was lost. A failure_point
// throws at its n-th passage, on whichever thread that is. Any thread may use all of this, except that set() and
// expect_none_alive() may be called only while nothing runs.
#pragma once

#include <teff/base/atomic.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace conformance {

// Whether this is built with AddressSanitizer or ThreadSanitizer.
#if defined(TEFF_THREAD_SANITIZER) || defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
inline constexpr bool sanitized = __has_feature(address_sanitizer);
#else
inline constexpr bool sanitized = false;
#endif

// The exception that tests throw; nothing in the library throws it.
struct failure : std::runtime_error {
    explicit failure(const char* where) : std::runtime_error(where) {}
};

class failure_point {
public:
    explicit constexpr failure_point(const char* name) noexcept : name_(name) {}

    // Makes the n-th following pass() throw (1: the next one); 0: none throws.
    void set(long n) noexcept { left_.store(n); }
    void pass() {
        if (left_.load(std::memory_order_relaxed) > 0 && left_.fetch_sub(1) == 1)
            throw failure(name_);
    }
    // After set(n > 0): returns whether pass() threw, and disarms the point.
    bool reached() noexcept { return left_.exchange(0) <= 0; }

private:
    const char* name_;
    std::atomic<long> left_{0};
};

// A movable value with a number; Alignment and Padding make it an over-aligned or a large task.
template <std::size_t Alignment = alignof(void*), std::size_t Padding = 1>
class alignas(Alignment) tracked {
public:
    static inline std::atomic<long> alive{0};
    static inline failure_point moves{"moving a tracked value"};

    explicit tracked(std::uint32_t number) noexcept : number_(number) { ++alive; }
    tracked(tracked&& other) : number_(other.number()) {
        moves.pass();
        ++alive;
    }
    tracked& operator=(tracked&& other) {
        check();
        const std::uint32_t number = other.number();
        moves.pass();
        number_ = number;
        return *this;
    }
    ~tracked() {
        check();
        // volatile: otherwise a compiler may omit a store to an object whose lifetime ends.
        *const_cast<tracked* volatile*>(&self_) = nullptr;
        --alive;
    }

    std::uint32_t number() const {
        check();
        return number_;
    }

    static void expect_none_alive() { EXPECT_EQ(alive.load(), 0) << "values were lost, or destroyed twice"; }

private:
    void check() const {
        if (self_ != this || reinterpret_cast<std::uintptr_t>(this) % Alignment != 0)
            ADD_FAILURE() << "a value was used where none lives";
    }

    tracked* self_ = this;
    std::uint32_t number_;
    [[maybe_unused]] std::byte padding_[Padding]{};
};

}  // namespace conformance
