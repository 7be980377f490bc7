// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests of what the tools that a test may run under do not do as the kernel does: qemu, AddressSanitizer.
#pragma once

namespace teff::testing {

#if defined(TEFF_EMULATED)
inline constexpr bool is_emulated = true;
#else
inline constexpr bool is_emulated = false;
#endif

// Before LLVM 18 and GCC 14, AddressSanitizer leaves the locks of its allocator as they are at a fork().
#if defined(__SANITIZE_ADDRESS__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 14
inline constexpr bool locks_sanitizer_at_fork = false;
#else
inline constexpr bool locks_sanitizer_at_fork = true;
#endif

// In a child that is forked beside busy threads, qemu 7.2 may wait for ever for a lock of its own, and an older
// AddressSanitizer for one that a thread of the parent had.
inline constexpr bool can_fork_beside_busy_threads = !is_emulated && locks_sanitizer_at_fork;

}  // namespace teff::testing
