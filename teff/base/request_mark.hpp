// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mark: a bound that the owner of some data compares with at each operation, and that other threads overwrite to be
// noticed.
//
// The owner reads the mark relaxed: it may notice a request one operation later, and reads nothing through the mark.
// GCC loads an atomic into a register before it compares; here it compares with memory, which saves an instruction in
// the shortest paths. (Under ThreadSanitizer and in the model checker, which see no assembly, it is an ordinary load.)
#pragma once

#include <teff/base/atomic.hpp>

#include <cstdint>

namespace teff {

using request_mark = atomic<std::uintptr_t>;

#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
inline bool is_above(std::uintptr_t value, const request_mark& bound) noexcept {
    bool result;
    asm volatile("cmp{q %[bound], %[value]| %[value], %[bound]}"
                 : "=@cca"(result)
                 : [bound] "m"(*static_cast<const std::uintptr_t*>(bound.address())), [value] "r"(value));
    return result;
}
inline bool is_below(std::uintptr_t value, const request_mark& bound) noexcept {
    bool result;
    asm volatile("cmp{q %[bound], %[value]| %[value], %[bound]}"
                 : "=@ccb"(result)
                 : [bound] "m"(*static_cast<const std::uintptr_t*>(bound.address())), [value] "r"(value));
    return result;
}
#else
inline bool is_above(std::uintptr_t value, const request_mark& bound) noexcept {
    return value > bound.load(std::memory_order_relaxed);
}
inline bool is_below(std::uintptr_t value, const request_mark& bound) noexcept {
    return value < bound.load(std::memory_order_relaxed);
}
#endif

}  // namespace teff
