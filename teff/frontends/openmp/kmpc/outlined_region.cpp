// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The call of an outlined function, in assembly, since the number of its arguments is known only at run time.
// The calling convention of x86-64 passes the first six arguments in registers, that of aarch64 the first eight. Two of
// them are the addresses of the thread numbers. The other arguments are on the stack, the first at the lowest address,
// which is a multiple of 16. Both conventions pass these arguments to a variadic function as to any other.
#include <teff/frontends/openmp/kmpc/outlined_region.hpp>

// For a tool, the frame pointer is stored where the last argument says.
#if !TEFF_OPENMP_CALLS_TOOL
#define TEFF_STORE_FRAME
#elif defined(__x86_64__)
#define TEFF_STORE_FRAME "    movq %rbp, (%r9)"
#else
#define TEFF_STORE_FRAME "    str x29, [x5]"
#endif

// The frame pointer is set up, so that debuggers and unwinders can walk through the frame.
#if defined(__x86_64__)
asm(R"(
    .text
    .p2align 4
    .globl  teff_openmp_call_outlined
    .hidden teff_openmp_call_outlined
    .type   teff_openmp_call_outlined, @function
teff_openmp_call_outlined:
    .cfi_startproc
    endbr64
    pushq   %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq    %rsp, %rbp
    .cfi_def_cfa_register %rbp
)" TEFF_STORE_FRAME R"(
    movq    %rdi, %rax              # function
    movq    %rsi, %rdi              # the first two arguments
    movq    %rdx, %rsi
    movq    %rcx, %r10              # count
    movq    %r8, %r11               # arguments
    cmpq    $4, %r10
    jle     2f
    leaq    1(%r10), %rcx           # an even number of words, so that the stack stays aligned
    andq    $-2, %rcx
    subq    $4, %rcx
    leaq    0(,%rcx,8), %rdx
    subq    %rdx, %rsp
    leaq    -4(%r10), %rcx
1:  movq    24(%r11,%rcx,8), %rdx   # the last word first: arguments[3 + rcx]
    movq    %rdx, -8(%rsp,%rcx,8)
    subq    $1, %rcx
    jnz     1b
2:  cmpq    $1, %r10
    jl      3f
    movq    (%r11), %rdx
    je      3f
    movq    8(%r11), %rcx
    cmpq    $3, %r10
    jl      3f
    movq    16(%r11), %r8
    je      3f
    movq    24(%r11), %r9
3:  movq    %rax, %r10
    xorl    %eax, %eax              # no vector registers, for a function with variable arguments
    call    *%r10
    movq    %rbp, %rsp
    popq    %rbp
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
    .size   teff_openmp_call_outlined, . - teff_openmp_call_outlined
    .section .note.GNU-stack, "", @progbits
    .text
)");
#elif defined(__aarch64__)
asm(R"(
    .text
    .p2align 4
    .globl  teff_openmp_call_outlined
    .hidden teff_openmp_call_outlined
    .type   teff_openmp_call_outlined, %function
teff_openmp_call_outlined:
    .cfi_startproc
    hint    #34                     // bti c: an indirect call may come here
    stp     x29, x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset x29, -16
    .cfi_offset x30, -8
    mov     x29, sp
    .cfi_def_cfa_register x29
)" TEFF_STORE_FRAME R"(
    mov     x16, x0                 // function
    mov     x0, x1                  // the first two arguments
    mov     x1, x2
    mov     x9, x3                  // count
    mov     x10, x4                 // arguments
    subs    x11, x9, #6             // so many words are on the stack
    b.le    2f
    add     x12, x11, #1            // an even number of words, so that the stack stays aligned
    and     x12, x12, #-2
    sub     sp, sp, x12, lsl #3
    mov     x13, sp
    add     x14, x10, #48
1:  ldr     x12, [x14], #8
    str     x12, [x13], #8
    subs    x11, x11, #1
    b.ne    1b
2:  cmp     x9, #1
    b.lt    3f
    ldr     x2, [x10]
    b.eq    3f
    ldr     x3, [x10, #8]
    cmp     x9, #3
    b.lt    3f
    ldr     x4, [x10, #16]
    b.eq    3f
    ldr     x5, [x10, #24]
    cmp     x9, #5
    b.lt    3f
    ldr     x6, [x10, #32]
    b.eq    3f
    ldr     x7, [x10, #40]
3:  blr     x16
    mov     sp, x29
    .cfi_def_cfa_register sp
    ldp     x29, x30, [sp], #16
    .cfi_def_cfa_offset 0
    .cfi_restore x29
    .cfi_restore x30
    ret
    .cfi_endproc
    .size   teff_openmp_call_outlined, . - teff_openmp_call_outlined
    .section .note.GNU-stack, "", %progbits
    .text
)");
#else
#error "the call of an outlined function is written for x86-64 and aarch64 only"
#endif

extern "C" void teff_openmp_call_outlined(teff::openmp::kmpc::outlined_function function, std::int32_t* global_number,
                                          std::int32_t* number, std::int64_t count, void* const* arguments,
                                          teff::openmp::events::frame_slot frame) noexcept;

namespace teff::openmp::kmpc {

void call_outlined(outlined_function function, std::int32_t* global_number, std::int32_t* number, std::int64_t count,
                   void* const* arguments, events::frame_slot frame) noexcept {
    teff_openmp_call_outlined(function, global_number, number, count, arguments, frame);
}

}  // namespace teff::openmp::kmpc
