// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mark: a bound that the owner of some data compares with at each operation, and that other threads overwrite to be
// noticed. The data are the end of a deque (queue/split_deque.hpp), or the end of the owner's stack at a fork.
//
// The owner reads the mark relaxed: it may notice a request one operation later, and reads nothing through the mark.
// announce_*() first stores a value that other threads read, and then compares it: the fast side of an asymmetric fence
// (asymmetric_fence.hpp), whose rare side overwrites the mark, passes a heavy fence and reads the announcement.
//
// On x86-64 these are two instructions, written as assembly: GCC would load the mark into a register first. The
// hardware keeps stores in order, which is all that the release below asks for. announce_is_above() publishes an object
// and what it refers to, so it is a fence for the compiler, too ("memory"). announce_is_below() publishes nothing, and
// leaves the compiler free to keep data of the surrounding user's code in registers. (ThreadSanitizer and the model
// checker see no assembly, so the general form is used there.)
#pragma once

#include <teff/base/asymmetric_fence.hpp>
#include <teff/base/atomic.hpp>

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

using request_mark = atomic<std::uintptr_t>;

#if defined(__x86_64__) && defined(__LP64__) && !defined(__SANITIZE_THREAD__) && !defined(TEFF_THREAD_SANITIZER)

[[gnu::always_inline]] inline const std::uintptr_t& memory_of(const request_mark& bound) noexcept {
    return *static_cast<const std::uintptr_t*>(bound.address());
}
[[gnu::always_inline]] inline bool is_below(std::uintptr_t value, const request_mark& bound) noexcept {
    bool result;
    asm volatile("cmp{q %[bound], %[value]| %[value], %[bound]}"
                 : "=@ccb"(result)
                 : [bound] "m"(memory_of(bound)), [value] "r"(value));
    return result;
}
// Announces `end` and returns whether it is above the bound. A thread that reads the announcement sees the object
// before `end`, and what it refers to.
template <class T>
[[gnu::always_inline]] inline bool announce_is_above(atomic<T*>& word, T* end, const request_mark& bound) noexcept {
    bool result;
    asm volatile("mov{q %[end], %[word]| %[word], %[end]}\n\tcmp{q %[bound], %[end]| %[end], %[bound]}"
                 : "=@cca"(result), [word] "=m"(*static_cast<T**>(const_cast<void*>(word.address())))
                 : [end] "r"(end), [bound] "m"(memory_of(bound))
                 : "memory");
    return result;
}
// Announces `end` and returns whether it is below the bound.
template <class T>
[[gnu::always_inline]] inline bool announce_is_below(atomic<T*>& word, T* end, const request_mark& bound) noexcept {
    bool result;
    asm volatile("mov{q %[end], %[word]| %[word], %[end]}\n\tcmp{q %[bound], %[end]| %[end], %[bound]}"
                 : "=@ccb"(result), [word] "=m"(*static_cast<T**>(const_cast<void*>(word.address())))
                 : [end] "r"(end), [bound] "m"(memory_of(bound)));
    return result;
}

#else

inline bool is_below(std::uintptr_t value, const request_mark& bound) noexcept {
    return value < bound.load(std::memory_order_relaxed);
}
template <class T>
bool announce_is_above(atomic<T*>& word, T* end, const request_mark& bound) noexcept {
    // release: a thread that reads the announcement sees the object before `end`; partner: an acquire there.
    word.store(end, std::memory_order_release);
    light_fence();
    return reinterpret_cast<std::uintptr_t>(end) > bound.load(std::memory_order_relaxed);
}
template <class T>
bool announce_is_below(atomic<T*>& word, T* end, const request_mark& bound) noexcept {
    // release: an earlier announcement may be overwritten by this one before it was read; the same partner.
    word.store(end, std::memory_order_release);
    light_fence();
    return reinterpret_cast<std::uintptr_t>(end) < bound.load(std::memory_order_relaxed);
}

#endif

}  // namespace teff
