// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces teff/base/futex.hpp in the model build: it has the same names and passes each call to the checker, with the
// place of the call, where a mutant may change it.
#pragma once

#include <teff/base/atomic.hpp>

#include <model/operations.hpp>

#include <cstdint>

namespace teff {
inline namespace model_checked {

using futex_word = atomic<std::uint32_t>;

inline constexpr std::int64_t futex_no_timeout = -1;

inline bool futex_wait(const futex_word& word, std::uint32_t seen, std::int64_t timeout_ns = futex_no_timeout,
                       site where = site::current()) noexcept {
    return model::futex_wait(word.address(), seen, timeout_ns, where);
}

inline void futex_wake(const void* word_address, int count, site where = site::current()) noexcept {
    model::futex_wake(word_address, count, where);
}

inline constexpr int futex_wake_all = 0x7fffffff;

}  // namespace model_checked
}  // namespace teff
