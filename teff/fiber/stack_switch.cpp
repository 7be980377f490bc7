// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See stack_switch.hpp.
#include <teff/fiber/stack_switch.hpp>

#include <cstdint>
#include <new>

#if !defined(__x86_64__)
#include <boost/context/detail/fcontext.hpp>
#endif

namespace teff {

#if defined(__x86_64__)

extern "C" {

// Defined below. The first place of a stack is entered with its argument and function in registers that are preserved.
[[gnu::visibility("hidden")]] void* teff_switch_stack(void** left_at, void* enter_at, void* message) noexcept;
[[gnu::visibility("hidden")]] void teff_first_place() noexcept;

}  // extern "C"

// The flags in the lowest six bits of MXCSR are not control bits.
asm(R"(
    .text
    .p2align 4
    .hidden teff_switch_stack
    .globl teff_switch_stack
    .type teff_switch_stack, @function
teff_switch_stack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    subq $8, %rsp
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
    movq %rsp, (%rdi)
    movq %rsp, %rcx
    movq %rsi, %rsp
    movq %rdx, %rax
    movl (%rcx), %r8d
    xorl (%rsp), %r8d
    testl $0xffc0, %r8d
    jne 2f
    movzwl 4(%rcx), %r8d
    cmpw 4(%rsp), %r8w
    jne 2f
1:  addq $8, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
2:  ldmxcsr (%rsp)
    fldcw 4(%rsp)
    jmp 1b
    .size teff_switch_stack, .-teff_switch_stack

    .p2align 4
    .hidden teff_first_place
    .globl teff_first_place
    .type teff_first_place, @function
teff_first_place:
    .cfi_startproc
    .cfi_undefined %rip
    movq %r12, %rdi
    movq %rax, %rsi
    call *%r13
    ud2
    .cfi_endproc
    .size teff_first_place, .-teff_first_place
)");

void* switch_stack(void*& left_at, void* enter_at, void* message) noexcept {
    return teff_switch_stack(&left_at, enter_at, message);
}

void* first_place(void* end, std::size_t, const control_words& words, void (*first)(void* argument, void* message),
                  void* argument) noexcept {
    // What teff_switch_stack pops, from the lowest address up.
    struct saved {
        std::uint32_t mxcsr;
        std::uint16_t x87;
        void* r15 = nullptr;
        void* r14 = nullptr;
        void (*r13)(void*, void*);
        void* r12;
        void* rbx = nullptr;
        void* rbp = nullptr;
        void (*returns_to)() noexcept;
        void* above[2] = {};
    };
    static_assert(sizeof(saved) == 10 * sizeof(void*));
    const std::uintptr_t aligned = reinterpret_cast<std::uintptr_t>(end) & ~std::uintptr_t{15};
    return ::new (reinterpret_cast<void*>(aligned - sizeof(saved))) saved{
        .mxcsr = words.sse(), .x87 = words.x87(), .r13 = first, .r12 = argument, .returns_to = &teff_first_place};
}

#else

namespace {

namespace context = boost::context::detail;

// What goes along with a switch.
struct sent {
    void*& left_at;
    void* message;
};
struct start {
    void (*first)(void* argument, void* message);
    void* argument;
};

void* receive(context::transfer_t from) noexcept {
    const sent& with = *static_cast<const sent*>(from.data);
    with.left_at = from.fctx;
    return with.message;
}

}  // namespace

void* switch_stack(void*& left_at, void* enter_at, void* message) noexcept {
    sent with{left_at, message};
    return receive(context::jump_fcontext(enter_at, &with));
}

void* first_place(void* end, std::size_t size, const control_words& words, void (*first)(void* argument, void* message),
                  void* argument) noexcept {
    const start with{first, argument};
    const control_words present;
    words.restore();
    void* const begin = context::make_fcontext(end, size, [](context::transfer_t from) {
        const auto [call, of] = *static_cast<const start*>(from.data);
        call(of, receive(context::jump_fcontext(from.fctx, nullptr)));
    });
    // The code on the new stack comes back when it has read what it calls.
    void* const place = context::jump_fcontext(begin, const_cast<start*>(&with)).fctx;
    present.restore();
    return place;
}

#endif

}  // namespace teff
