// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the stack of the calling function ends.
#pragma once

#include <cstdint>

namespace teff {

// The stack pointer, without a frame pointer for the caller where the compiler needs none.
[[gnu::always_inline]] inline std::uintptr_t stack_pointer() noexcept {
    std::uintptr_t stack_top;
#if defined(__x86_64__)
    asm("mov{q %%rsp, %0| %0, rsp}" : "=r"(stack_top));
#elif defined(__aarch64__)
    // The address of the frame would be above what alloca() has taken.
    asm("mov %0, sp" : "=r"(stack_top));
#else
    stack_top = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
#endif
    return stack_top;
}

}  // namespace teff
