// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By the x86-64 System V calling convention the first six arguments are in registers, two of them the numbers'
// addresses; the others are on the stack, the seventh at the lowest address, on an alignment of 16 bytes.
#include <teff/frontends/openmp/kmpc/call_outlined.hpp>

#if !defined(__x86_64__)
#error "the call of an outlined function is written for x86-64 only"
#endif

// The frame pointer is kept, so that debuggers and unwinders pass through.
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

extern "C" void teff_openmp_call_outlined(teff::openmp::kmpc::outlined_function function, std::int32_t* global_number,
                                          std::int32_t* number, std::int64_t count, void* const* arguments) noexcept;

namespace teff::openmp::kmpc {

void call_outlined(outlined_function function, std::int32_t* global_number, std::int32_t* number, std::int64_t count,
                   void* const* arguments) noexcept {
    teff_openmp_call_outlined(function, global_number, number, count, arguments);
}

}  // namespace teff::openmp::kmpc
