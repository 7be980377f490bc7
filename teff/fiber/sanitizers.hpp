// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What AddressSanitizer and ThreadSanitizer are told about a switch of stacks. In ordinary builds every call is empty.
//
//   about_to_leave   on the stack that is left
//   has_arrived      on the stack that was entered
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/fiber/fiber_stack.hpp>

#if defined(__SANITIZE_ADDRESS__)
#define TEFF_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TEFF_ADDRESS_SANITIZER 1
#endif
#endif

#if defined(TEFF_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(TEFF_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

namespace teff::sanitizers {

#if defined(TEFF_ADDRESS_SANITIZER) || defined(TEFF_THREAD_SANITIZER)
inline constexpr bool are_on = true;
#else
inline constexpr bool are_on = false;
#endif

inline void unpoison([[maybe_unused]] void* lowest, [[maybe_unused]] std::size_t size) noexcept {
#if defined(TEFF_ADDRESS_SANITIZER)
    __asan_unpoison_memory_region(lowest, size);
#endif
}

// Code that switches to other stacks and is switched to: a fiber's, or a thread's on its own stack.
class switched_code {
public:
    // Of code on a stack of its own.
    void begin([[maybe_unused]] const fiber_stack& stack) noexcept {
#if defined(TEFF_ADDRESS_SANITIZER)
        lowest_ = stack.lowest;
        size_ = stack.size;
#endif
#if defined(TEFF_THREAD_SANITIZER)
        code_ = __tsan_create_fiber(0);
#endif
    }
    // The code was left for good.
    void end() noexcept {
#if defined(TEFF_THREAD_SANITIZER)
        __tsan_destroy_fiber(code_);
#endif
    }

    void about_to_leave([[maybe_unused]] const switched_code& next, [[maybe_unused]] bool for_good) noexcept {
#if defined(TEFF_ADDRESS_SANITIZER)
        __sanitizer_start_switch_fiber(for_good ? nullptr : &frames_, next.lowest_, next.size_);
#endif
#if defined(TEFF_THREAD_SANITIZER)
        code_ = __tsan_get_current_fiber();
        __tsan_switch_to_fiber(next.code_, 0);
#endif
    }
    void has_arrived([[maybe_unused]] switched_code& from) noexcept {
#if defined(TEFF_ADDRESS_SANITIZER)
        // It may have been left on another stack than its own (called_on_stack).
        __sanitizer_finish_switch_fiber(frames_, &from.lowest_, &from.size_);
#endif
    }

private:
#if defined(TEFF_ADDRESS_SANITIZER)
    void* frames_ = nullptr;  // that the code has elsewhere, while it does not run
    const void* lowest_ = nullptr;
    std::size_t size_ = 0;
#endif
#if defined(TEFF_THREAD_SANITIZER)
    void* code_ = nullptr;
#endif
};

// A call on another stack, which returns: on the caller's stack before it and after it, on the other one in between.
class called_on_stack {
public:
    void about_to_call([[maybe_unused]] const fiber_stack& stack) noexcept {
#if defined(TEFF_ADDRESS_SANITIZER)
        __sanitizer_start_switch_fiber(&frames_, stack.lowest, stack.size);
#endif
    }
    void has_begun() noexcept {
#if defined(TEFF_ADDRESS_SANITIZER)
        __sanitizer_finish_switch_fiber(nullptr, &lowest_, &size_);
#endif
    }
    void about_to_return() noexcept {
#if defined(TEFF_ADDRESS_SANITIZER)
        __sanitizer_start_switch_fiber(nullptr, lowest_, size_);
#endif
    }
    void has_returned() noexcept {
#if defined(TEFF_ADDRESS_SANITIZER)
        __sanitizer_finish_switch_fiber(frames_, nullptr, nullptr);
#endif
    }

#if defined(TEFF_ADDRESS_SANITIZER)
private:
    // of the caller
    void* frames_ = nullptr;
    const void* lowest_ = nullptr;
    std::size_t size_ = 0;
#endif
};

}  // namespace teff::sanitizers
