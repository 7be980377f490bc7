// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sleeping until another thread changes a word: the Linux futex, private to the process. The model checker
// replaces this header.
//
//   futex_wait(word, seen)   sleeps if word == seen, atomically with the check; returns on a wake, a changed word, a
//                            signal or the time-out: callers re-check their condition in a loop
//   futex_wake(word, n)      wakes up to n sleepers; the word may already be destroyed, so only its address is used
//   futex_wait_as(word, seen, bits, timeout), futex_wake_those(word, n, bits)
//                            the same; such a wake reaches sleepers that have a bit in common with it, and every other
//                            wake reaches all
#pragma once

#include <teff/base/atomic.hpp>

#include <cstdint>

namespace teff {

using futex_word = atomic<std::uint32_t>;

inline constexpr std::int64_t futex_no_timeout = -1;

// Returns false if the time-out (nanoseconds) passed, true otherwise.
bool futex_wait(const futex_word& word, std::uint32_t seen, std::int64_t timeout_ns = futex_no_timeout) noexcept;

void futex_wake(const void* word_address, int count) noexcept;

bool futex_wait_as(const futex_word& word, std::uint32_t seen, std::uint32_t bits,
                   std::int64_t timeout_ns = futex_no_timeout) noexcept;

// Returns how many sleepers it has woken.
int futex_wake_those(const void* word_address, int count, std::uint32_t bits) noexcept;

inline constexpr int futex_wake_all = 0x7fffffff;

}  // namespace teff
