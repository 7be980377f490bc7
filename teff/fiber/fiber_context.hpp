// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that can be left in the middle and gone on with, on any thread: a function on a stack of its own, or what a
// thread does on its own stack while it runs such functions. A switch leads from one to any other, so that a function
// that is left need not return to the thread's own stack first. The switch (stack_switch.hpp) saves the registers that
// a call preserves and the control words of the floating-point units.
//
//   begin, end                        the thread that owns the object
//   switch_to, switch_for_good_to     the code that the object stands for, while it runs
// One thread at a time. The operation that hands code that was left to another thread orders the two threads' accesses.
//
// Other state of a thread that belongs to the code moves with it: errno, and the exceptions that are being handled
// (__cxa_get_globals). It is exchanged before the switch: the code after it may continue on another thread, where an
// address of thread-local storage would be wrong.
#pragma once

#include <teff/fiber/control_words.hpp>
#include <teff/fiber/fiber_stack.hpp>
#include <teff/fiber/sanitizers.hpp>

namespace teff {

class fiber_context {
public:
    // Does not return; ends with switch_for_good_to().
    using function = void (*)(void* argument) noexcept;

    // Code on the calling thread's present stack.
    fiber_context() noexcept = default;
    fiber_context(const fiber_context&) = delete;
    fiber_context& operator=(const fiber_context&) = delete;

    // Prepares the first switch to it, which calls the function with these control words. The stack belongs to the
    // caller, until end(). room: the highest bytes of the stack, which the function does not use.
    void begin(const fiber_stack& stack, std::size_t room, const control_words& words, function what,
               void* argument) noexcept;
    // Leaves this code and goes on with `next`. Returns when some code switches to this one.
    void switch_to(fiber_context& next) noexcept;
    [[noreturn]] void switch_for_good_to(fiber_context& next) noexcept;
    // After switch_for_good_to(). The stack may be reused.
    void end() noexcept { switched_.end(); }

    // For code that goes on as other code that begins: the state is that of begin().
    static void begin_again(const control_words& words) noexcept;

    // For the scope of a function that is called on another one's stack, but that expects a state of its own: it begins
    // without exceptions that are being handled, and its changes of the control words end with it. The scope may end on
    // another thread.
    class separate_state {
    public:
        separate_state() noexcept;
        ~separate_state();
        separate_state(const separate_state&) = delete;
        separate_state& operator=(const separate_state&) = delete;

    private:
        const control_words words_;
        unsigned uncaught_exceptions_ = 0;
        void* caught_exceptions_ = nullptr;
    };

private:
    void exchange_state(fiber_context& next) noexcept;
    void jump_to(fiber_context& next, bool for_good) noexcept;
    void tell_and_jump_to(fiber_context& next, bool for_good) noexcept;
    static void call_function(void* self, void* left) noexcept;

    void* left_at_ = nullptr;  // where it was left, or begins
    function what_ = nullptr;
    void* argument_ = nullptr;
    // the part of a thread's state that belongs to the code, while it does not run
    int error_ = 0;
    unsigned uncaught_exceptions_ = 0;
    void* caught_exceptions_ = nullptr;
    sanitizers::switched_code switched_;
};

}  // namespace teff
