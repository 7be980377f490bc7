// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The control words of the floating-point units: rounding mode, traps, and how denormals are treated.
#pragma once

#if defined(__x86_64__) || defined(__aarch64__)
#include <cstdint>
#else
#include <cfenv>
#endif

namespace teff {

// The control words of the calling thread at the construction.
class control_words {
public:
#if defined(__x86_64__)
    control_words() noexcept : sse_(sse_word()), x87_(x87_word()) {}
    // Also restores the flags of past floating-point exceptions. Loading the words takes less time than reading and
    // comparing them (AMD Zen 4: stmxcsr 4.1 ns; ldmxcsr, fldcw and fnstcw 0.5 ns each).
    void restore() const noexcept {
        __builtin_ia32_ldmxcsr(sse_);
        asm volatile("fldcw %0" : : "m"(x87_));
    }

    std::uint32_t sse() const noexcept { return sse_; }
    std::uint16_t x87() const noexcept { return x87_; }

private:
    static std::uint32_t sse_word() noexcept { return __builtin_ia32_stmxcsr(); }
    static std::uint16_t x87_word() noexcept {
        std::uint16_t word = 0;
        asm volatile("fnstcw %0" : "=m"(word));
        return word;
    }

    const std::uint32_t sse_;
    const std::uint16_t x87_;
#elif defined(__aarch64__)
    control_words() noexcept : fpcr_(fpcr_word()) {}
    void restore() const noexcept {
        if (fpcr_word() != fpcr_)
            asm volatile("msr fpcr, %0" : : "r"(fpcr_));
    }

    std::uint64_t fpcr() const noexcept { return fpcr_; }

private:
    // The flags of past exceptions are in another register, FPSR.
    static std::uint64_t fpcr_word() noexcept {
        std::uint64_t word = 0;
        asm volatile("mrs %0, fpcr" : "=r"(word));
        return word;
    }

    const std::uint64_t fpcr_;
#else
    control_words() noexcept { std::fegetenv(&words_); }
    void restore() const noexcept { std::fesetenv(&words_); }

private:
    std::fenv_t words_;
#endif
};

}  // namespace teff
