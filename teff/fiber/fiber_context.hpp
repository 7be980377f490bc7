// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function on a stack of its own that can be left in the middle and entered again, on any thread. The switch is
// Boost.Context's (make_fcontext, jump_fcontext), which saves the registers that a call preserves and the control words
// of the floating-point units.
//
//   begin, enter, end       the thread that runs the fiber; on the stack that it had before
//   leave, leave_for_good   on the fiber's stack
// One thread at a time. The operation that hands a left fiber to another thread orders the two threads' accesses.
//
// Other state of a thread that belongs to the function moves with it: errno, and the exceptions that are being handled
// (__cxa_get_globals). enter() exchanges them, on both ways: it begins and ends on the same thread, while the code
// around leave() may continue on another one, where an address of thread-local storage would be wrong.
#pragma once

#include <teff/fiber/fiber_stack.hpp>
#include <teff/fiber/sanitizers.hpp>

namespace teff {

class fiber_context {
public:
    // Does not return; ends with leave_for_good().
    using function = void (*)(void* argument) noexcept;

    fiber_context() noexcept = default;
    fiber_context(const fiber_context&) = delete;
    fiber_context& operator=(const fiber_context&) = delete;

    // Prepares the first enter(), which calls the function. The stack belongs to the caller, until end().
    void begin(const fiber_stack& stack, function what, void* argument) noexcept;
    bool has_begun() const noexcept { return inside_ != nullptr; }
    // Runs the function until it leaves.
    void enter() noexcept;
    // Returns to the caller of enter(). This call returns at the next enter().
    void leave() noexcept;
    [[noreturn]] void leave_for_good() noexcept;
    // After leave_for_good(). The stack may be reused.
    void end() noexcept { switched_.end(); }

    const fiber_stack& stack() const noexcept { return stack_; }

private:
    // The part of a thread's state that belongs to the function that it runs.
    struct thread_state {
        int error = 0;
        void* caught_exceptions = nullptr;
        unsigned uncaught_exceptions = 0;
    };
    static thread_state exchange_state(const thread_state& next) noexcept;
    void arrive(void* outside) noexcept;
    void jump_out(bool for_good) noexcept;

    void* inside_ = nullptr;   // where the function was left
    void* outside_ = nullptr;  // where enter() was called, while the function runs
    function what_ = nullptr;
    void* argument_ = nullptr;
    fiber_stack stack_;
    thread_state state_;
    [[no_unique_address]] sanitizers::switched_fiber switched_;
};

}  // namespace teff
