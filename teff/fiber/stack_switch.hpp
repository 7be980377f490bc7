// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The switch from one stack to another, on which fiber_context.hpp is built.
//
// On x86-64 it is our own, and inline: it saves the stack pointer, the frame pointer, the address where the code goes
// on, and the control words of the floating-point units. All other registers are declared as overwritten, so that the
// compiler saves those that the function uses. Code is entered by an indirect jump, not by a return: the processor's
// return predictor still has the return addresses of the code that was left. For the same reason the returns that
// follow a switch are mispredicted, so the user's code should call a function that switches as directly as possible. On
// a new stack, the first function is called and returns when the stack is left for good, so its own returns are
// predicted. The control words are loaded without a comparison (control_words.hpp).
//
// On other processors the switch is Boost.Context's (make_fcontext, jump_fcontext), around which the control words are
// kept. The model checker uses it, too (TEFF_PORTABLE_SWITCH), since it does not see the stores of assembly.
#pragma once

#include <teff/fiber/control_words.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

#if defined(__x86_64__) && !defined(TEFF_PORTABLE_SWITCH)
#define TEFF_OWN_SWITCH 1
#endif

namespace teff {

// The place where code was left or begins, and its control words.
struct left_code {
#if defined(TEFF_OWN_SWITCH)
    // The offsets are used below and in stack_switch.cpp.
    void* stack = nullptr;
    void* frame = nullptr;
    void* next = nullptr;  // instruction
    std::uint32_t mxcsr = 0;
    std::uint16_t x87 = 0;
#else
    void* context = nullptr;
#endif
};

// The code that the thread enters when it leaves a stack for good, and the message that this code receives.
struct next_place {
    const left_code* enter;
    void* message;
};

// Prepares code on a new stack whose highest address is `end`: when it is entered, it calls first(argument, message)
// under these control words. When that call returns, the stack is left for good. The call may also leave by
// switch_stack() and never be entered again.
void begin_stack(left_code& begins, void* end, std::size_t size, const control_words& words,
                 next_place (*first)(void* argument, void* message) noexcept, void* argument) noexcept;

// Writes the return addresses of the calls of code that was left into `calls`, innermost first, as many as fit; returns
// their number. For reports. The code must not be entered during the call. Only on x86-64 with glibc; elsewhere returns
// 0.
std::size_t calls_of(const left_code& left, std::span<void*> calls) noexcept;

// Stores the place of the calling code in `left`, and enters other code, whose own call of switch_stack() returns the
// message. This call returns when the calling code is entered again, perhaps on another thread.
#if defined(TEFF_OWN_SWITCH)

[[gnu::always_inline]] inline void* switch_stack(left_code& left, const left_code& enter, void* message) noexcept {
    static_assert(offsetof(left_code, frame) == 8 && offsetof(left_code, next) == 16 &&
                  offsetof(left_code, mxcsr) == 24 && offsetof(left_code, x87) == 28);
    left_code* from = &left;
    const left_code* to = &enter;
    // The frame pointer is restored here, since some compilers cannot do without it. Nothing is pushed, since the
    // function may use the memory below its stack pointer.
    asm volatile("movq %%rsp, (%%rdi)\n\t"
                 "movq %%rbp, 8(%%rdi)\n\t"
                 "leaq 1f(%%rip), %%rcx\n\t"
                 "movq %%rcx, 16(%%rdi)\n\t"
                 "stmxcsr 24(%%rdi)\n\t"
                 "fnstcw 28(%%rdi)\n\t"
                 "ldmxcsr 24(%%rsi)\n\t"
                 "fldcw 28(%%rsi)\n\t"
                 "movq (%%rsi), %%rsp\n\t"
                 "movq 8(%%rsi), %%rbp\n\t"
                 "jmpq *16(%%rsi)\n"
                 "1:"
                 : "+a"(message), "+D"(from), "+S"(to)
                 :
                 : "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2",
                   "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                   "xmm15",
#if defined(__AVX512F__)
                   "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26",
                   "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7",
#endif
                   "cc", "memory");
    return message;
}

#else

void* switch_stack(left_code& left, const left_code& enter, void* message) noexcept;

#endif

}  // namespace teff
