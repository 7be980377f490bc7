// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests of what qemu's user mode does not do as the kernel does.
#pragma once

namespace teff::testing {

#if defined(TEFF_EMULATED)
inline constexpr bool is_emulated = true;
#else
inline constexpr bool is_emulated = false;
#endif

// In a child that is forked beside busy threads, qemu 7.2 may wait for ever for a lock of its own.
inline constexpr bool can_fork_beside_busy_threads = !is_emulated;

}  // namespace teff::testing
