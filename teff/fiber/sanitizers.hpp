// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells AddressSanitizer and ThreadSanitizer of each switch of stacks, whether the library or only the program was
// built with them (base/sanitizers.hpp). In a program without them every call is one comparison.
//
//   about_to_leave   on the stack that is left
//   has_arrived      on the stack that was entered
// ThreadSanitizer treats a switch as a happens-before edge, since one thread runs the code on both stacks.
#pragma once

#include <teff/base/sanitizers.hpp>
#include <teff/fiber/fiber_stack.hpp>

#include <cstddef>

namespace teff::sanitizers {

inline void unpoison(void* lowest, std::size_t size) noexcept {
    if (&__asan_unpoison_memory_region != nullptr) [[unlikely]]
        __asan_unpoison_memory_region(lowest, size);
}

// An execution context that takes part in switches: a fiber, or a thread on its own stack.
class switched_code {
public:
    // Call for a fiber, before the first switch to it.
    void begin(const fiber_stack& stack) noexcept {
        if (is_any_present()) [[unlikely]]
            tell_begin(stack);
    }
    // Call after the last switch away from a fiber.
    void end() noexcept {
        if (is_thread_sanitizer_present()) [[unlikely]]
            __tsan_destroy_fiber(code_);
    }

    // Inlined: the tool counts the calls and returns of each context, so no function may be entered in one context and
    // left in another.
    [[gnu::always_inline]] void about_to_leave(const switched_code& next, bool for_good) noexcept {
        if (is_address_sanitizer_present())
            __sanitizer_start_switch_fiber(for_good ? nullptr : &code_, next.lowest_, next.size_);
        if (is_thread_sanitizer_present()) {
            code_ = __tsan_get_current_fiber();
            __tsan_switch_to_fiber(next.code_, 0);
        }
    }
    void has_arrived(switched_code& from) noexcept {
        // The other context may have been on another stack than its own when it was left (called_on_stack).
        if (is_address_sanitizer_present()) [[unlikely]]
            __sanitizer_finish_switch_fiber(code_, &from.lowest_, &from.size_);
    }

private:
    [[gnu::cold, gnu::noinline]] void tell_begin(const fiber_stack& stack) noexcept {
        lowest_ = stack.lowest;
        size_ = stack.size;
        // The object may have served another fiber, which has ended.
        code_ = is_thread_sanitizer_present() ? __tsan_create_fiber(0) : nullptr;
    }

    // The tool's handle for the suspended context: ThreadSanitizer's fiber, or AddressSanitizer's fake stack. No
    // process has both tools.
    void* code_ = nullptr;
    const void* lowest_ = nullptr;
    std::size_t size_ = 0;
};

// A call on another stack, which returns. about_to_call() and has_returned() run on the caller's stack, the two others
// on the other stack.
class called_on_stack {
public:
    void about_to_call(const fiber_stack& stack) noexcept {
        if (is_address_sanitizer_present()) [[unlikely]]
            __sanitizer_start_switch_fiber(&frames_, stack.lowest, stack.size);
    }
    void has_begun() noexcept {
        if (is_address_sanitizer_present()) [[unlikely]]
            __sanitizer_finish_switch_fiber(nullptr, &lowest_, &size_);
    }
    void about_to_return() noexcept {
        if (is_address_sanitizer_present()) [[unlikely]]
            __sanitizer_start_switch_fiber(nullptr, lowest_, size_);
    }
    void has_returned() noexcept {
        if (is_address_sanitizer_present()) [[unlikely]]
            __sanitizer_finish_switch_fiber(frames_, nullptr, nullptr);
    }

private:
    // of the caller
    void* frames_ = nullptr;
    const void* lowest_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace teff::sanitizers
