// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The switch, on top of the fcontext of Boost.Context; see stack_switch.hpp.
#include <teff/fiber/stack_switch.hpp>

#include <cstddef>
#include <cstdint>
#include <new>

#if defined(TEFF_OWN_SWITCH) && defined(__GLIBC__)
#include <algorithm>
#include <execinfo.h>
#define TEFF_UNWINDS_LEFT_CODE 1
#endif
#if !defined(TEFF_OWN_SWITCH)
#include <boost/context/detail/fcontext.hpp>
#endif

namespace teff {

#if defined(TEFF_OWN_SWITCH)

// Defined below: where a new stack begins. The stack pointer is the address of a first_call.
extern "C" [[gnu::visibility("hidden")]] void teff_begin_stack() noexcept;

namespace {

// The offsets are used below.
struct alignas(16) first_call {
    next_place (*first)(void* argument, void* message) noexcept;
    void* argument;
};
static_assert(sizeof(first_call) == 16 && offsetof(first_call, argument) == 8);

}  // namespace

// An unwinder stops here, since there is no caller. The message is in rax on entry, and again when the stack is left.
asm(R"(
    .text
    .p2align 4
    .hidden teff_begin_stack
    .globl teff_begin_stack
    .type teff_begin_stack, @function
teff_begin_stack:
    .cfi_startproc
    .cfi_undefined %rip
    movq 8(%rsp), %rdi
    movq %rax, %rsi
    call *(%rsp)
    movq %rax, %rsi
    movq %rdx, %rax
    ldmxcsr 24(%rsi)
    fldcw 28(%rsi)
    movq (%rsi), %rsp
    movq 8(%rsi), %rbp
    jmpq *16(%rsi)
    .cfi_endproc
    .size teff_begin_stack, .-teff_begin_stack
)");

void begin_stack(left_code& begins, void* end, std::size_t, const control_words& words,
                 next_place (*first)(void* argument, void* message) noexcept, void* argument) noexcept {
    const std::uintptr_t aligned = reinterpret_cast<std::uintptr_t>(end) & ~(alignof(first_call) - 1);
    void* const lowest = ::new (reinterpret_cast<void*>(aligned - sizeof(first_call))) first_call{first, argument};
    begins = {.stack = lowest,
              .next = reinterpret_cast<void*>(&teff_begin_stack),
              .mxcsr = words.sse(),
              .x87 = words.x87()};
}

#else

namespace {

namespace context = boost::context::detail;

// The data that a switch passes to the code that it enters.
struct sent {
    left_code& left;
    void* message;
};
struct start {
    next_place (*first)(void* argument, void* message) noexcept;
    void* argument;
};

void* receive(context::transfer_t from) noexcept {
    const sent& message = *static_cast<const sent*>(from.data);
    message.left.context = from.fctx;
    return message.message;
}

}  // namespace

void* switch_stack(left_code& left, const left_code& enter, void* message) noexcept {
    // The switch need not preserve the control words, and does not on aarch64.
    const control_words words;
    sent message_sent{left, message};
    const context::transfer_t back = context::jump_fcontext(enter.context, &message_sent);
    words.restore();
    return receive(back);
}

void begin_stack(left_code& begins, void* end, std::size_t size, const control_words& words,
                 next_place (*first)(void* argument, void* message) noexcept, void* argument) noexcept {
    const start start_values{first, argument};
    const control_words present;
    words.restore();
    void* const begin = context::make_fcontext(end, size, [](context::transfer_t from) {
        const auto [call, of] = *static_cast<const start*>(from.data);
        const control_words those_of_the_stack;
        const context::transfer_t entered = context::jump_fcontext(from.fctx, nullptr);
        those_of_the_stack.restore();
        const next_place next = call(of, receive(entered));
        left_code for_good;
        switch_stack(for_good, *next.enter, next.message);
    });
    // The code on the new stack switches back once it has read `start_values`.
    begins.context = context::jump_fcontext(begin, const_cast<start*>(&start_values)).fctx;
    present.restore();
}

#endif

#if defined(TEFF_UNWINDS_LEFT_CODE)

// Calls backtrace(calls, most) as if the code that was left had called this function. Defined below.
extern "C" [[gnu::visibility("hidden")]] int teff_unwind_left_code(const left_code& left, void** calls,
                                                                   int most) noexcept;
// The return address of its call of backtrace().
extern "C" [[gnu::visibility("hidden")]] const char teff_unwind_left_code_end;

// The unwinder finds the caller's stack pointer, frame pointer and next instruction in left_code, which rbx points to:
// DW_CFA_def_cfa_expression(*rbx), DW_CFA_expression(rbp, rbx + 8) and DW_CFA_expression(rip, rbx + 16).
asm(R"(
    .text
    .p2align 4
    .hidden teff_unwind_left_code
    .globl teff_unwind_left_code
    .type teff_unwind_left_code, @function
teff_unwind_left_code:
    .cfi_startproc
    pushq %rbx
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset %rbx, 0
    movq %rdi, %rbx
    movq %rsi, %rdi
    movl %edx, %esi
    .cfi_remember_state
    .cfi_undefined %rbx
    .cfi_escape 0x0f, 3, 0x73, 0, 0x06
    .cfi_escape 0x10, 6, 2, 0x73, 8
    .cfi_escape 0x10, 16, 2, 0x73, 16
    call backtrace@PLT
    .hidden teff_unwind_left_code_end
    .globl teff_unwind_left_code_end
teff_unwind_left_code_end:
    .cfi_restore_state
    popq %rbx
    .cfi_adjust_cfa_offset -8
    .cfi_restore %rbx
    ret
    .cfi_endproc
    .size teff_unwind_left_code, .-teff_unwind_left_code
)");

std::size_t calls_of(const left_code& left, std::span<void*> calls) noexcept {
    const int count = teff_unwind_left_code(left, calls.data(), static_cast<int>(calls.size()));
    const std::span<void*> found = calls.first(static_cast<std::size_t>(std::max(count, 0)));
    // The entries up to our own return address belong to backtrace() and to this function.
    const auto own = std::ranges::find(found, &teff_unwind_left_code_end);
    if (own == found.end())
        return 0;
    return static_cast<std::size_t>(std::move(own + 1, found.end(), found.begin()) - found.begin());
}

#else

std::size_t calls_of(const left_code&, std::span<void*>) noexcept { return 0; }

#endif

}  // namespace teff
