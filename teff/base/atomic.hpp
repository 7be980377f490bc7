// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All memory that threads share is accessed through teff::atomic, teff::atomic_thread_fence and teff::plain.
//
// In ordinary builds these are wrappers around the standard's atomics that cost nothing. They exist so that a
// model-checking build can put an instrumented type under the same sources: therefore every operation takes an
// explicit order and a source location (the site), and the operator forms (++, =, implicit conversion) do not exist.
//
//   atomic<T>             any thread may call any operation at any time
//   atomic_thread_fence   as the standard's; ThreadSanitizer ignores fences, so under it a fence is a read-modify-write
//                         on one process-wide word, which orders everything that the fence would order
//
// Rejected: a template parameter on every structure (makes the sources unreadable), macros around each access.
#pragma once

#include <teff/base/shared_data.hpp>

#include <atomic>
#include <source_location>

#if defined(__SANITIZE_THREAD__)
#define TEFF_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TEFF_THREAD_SANITIZER 1
#endif
#endif

namespace teff {

using site = std::source_location;

template <class T>
class atomic {
public:
    constexpr atomic() noexcept = default;
    constexpr explicit atomic(T value) noexcept : value_(value) {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

    T load(std::memory_order order, site = site::current()) const noexcept { return value_.load(order); }
    void store(T value, std::memory_order order, site = site::current()) noexcept { value_.store(value, order); }
    T exchange(T value, std::memory_order order, site = site::current()) noexcept {
        return value_.exchange(value, order);
    }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order success, std::memory_order failure,
                                 site = site::current()) noexcept {
        return value_.compare_exchange_strong(expected, desired, success, failure);
    }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order success, std::memory_order failure,
                               site = site::current()) noexcept {
        return value_.compare_exchange_weak(expected, desired, success, failure);
    }

    // The arithmetic forms exist for integral T only.
    T fetch_add(T value, std::memory_order order, site = site::current()) noexcept {
        return value_.fetch_add(value, order);
    }
    T fetch_sub(T value, std::memory_order order, site = site::current()) noexcept {
        return value_.fetch_sub(value, order);
    }
    T fetch_or(T value, std::memory_order order, site = site::current()) noexcept {
        return value_.fetch_or(value, order);
    }
    T fetch_and(T value, std::memory_order order, site = site::current()) noexcept {
        return value_.fetch_and(value, order);
    }

    // The word itself, for the futex system call, which compares and sleeps atomically inside the kernel.
    const void* address() const noexcept { return &value_; }

private:
    std::atomic<T> value_{};
};

#if defined(TEFF_THREAD_SANITIZER)
inline void atomic_thread_fence(std::memory_order, site = site::current()) noexcept {
    static constinit std::atomic<unsigned> word{0};
    // acq_rel: each fence reads from the fence before it in the word's modification order, the total order that a
    // sequentially consistent fence would establish.
    word.fetch_add(1, std::memory_order_acq_rel);
}
#else
inline void atomic_thread_fence(std::memory_order order, site = site::current()) noexcept {
    std::atomic_thread_fence(order);
}
#endif

}  // namespace teff
