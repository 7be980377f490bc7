// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the stack of the calling function ends.
#pragma once

#include <cstdint>

namespace teff {

// The stack pointer, without a frame pointer for the caller where the compiler needs none.
[[gnu::always_inline]] inline std::uintptr_t stack_pointer() noexcept {
    std::uintptr_t here;
#if defined(__x86_64__)
    asm("mov{q %%rsp, %0| %0, rsp}" : "=r"(here));
#elif defined(__aarch64__)
    // The address of the frame would be above what alloca() has taken.
    asm("mov %0, sp" : "=r"(here));
#else
    here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
#endif
    return here;
}

}  // namespace teff
