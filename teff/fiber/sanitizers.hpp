// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What AddressSanitizer and ThreadSanitizer are told about a switch of stacks. In ordinary builds every call is empty.
//
//   about_to_enter, has_left      on the stack that enters a fiber, before and after
//   has_entered, about_to_leave   on the stack of the fiber, after it was entered and before it is left
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

// One for each fiber.
class switched_fiber {
public:
    void begin() noexcept {
#if defined(TEFF_THREAD_SANITIZER)
        inside_ = __tsan_create_fiber(0);
#endif
    }
    // The fiber was left for good.
    void end() noexcept {
#if defined(TEFF_THREAD_SANITIZER)
        __tsan_destroy_fiber(inside_);
#endif
    }

    void about_to_enter([[maybe_unused]] const fiber_stack& stack) noexcept {
#if defined(TEFF_ADDRESS_SANITIZER)
        if (inside_lowest_ == nullptr) {
            inside_lowest_ = stack.lowest;
            inside_size_ = stack.size;
        }
        __sanitizer_start_switch_fiber(&outside_frames_, inside_lowest_, inside_size_);
#endif
#if defined(TEFF_THREAD_SANITIZER)
        outside_ = __tsan_get_current_fiber();
        __tsan_switch_to_fiber(inside_, 0);
#endif
    }
    void has_left() noexcept {
#if defined(TEFF_ADDRESS_SANITIZER)
        // The fiber may have been left on another stack than its own (called_on_stack).
        __sanitizer_finish_switch_fiber(outside_frames_, &inside_lowest_, &inside_size_);
#endif
    }
    void has_entered() noexcept {
#if defined(TEFF_ADDRESS_SANITIZER)
        __sanitizer_finish_switch_fiber(inside_frames_, &outside_lowest_, &outside_size_);
#endif
    }
    void about_to_leave([[maybe_unused]] bool for_good) noexcept {
#if defined(TEFF_ADDRESS_SANITIZER)
        __sanitizer_start_switch_fiber(for_good ? nullptr : &inside_frames_, outside_lowest_, outside_size_);
#endif
#if defined(TEFF_THREAD_SANITIZER)
        __tsan_switch_to_fiber(outside_, 0);
#endif
    }

private:
#if defined(TEFF_ADDRESS_SANITIZER)
    void* outside_frames_ = nullptr;
    void* inside_frames_ = nullptr;
    const void* outside_lowest_ = nullptr;
    std::size_t outside_size_ = 0;
    const void* inside_lowest_ = nullptr;
    std::size_t inside_size_ = 0;
#endif
#if defined(TEFF_THREAD_SANITIZER)
    void* outside_ = nullptr;
    void* inside_ = nullptr;
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
