// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A context: code that is suspended by a call of switch_to() and can be resumed on any thread. It is a function on a
// stack of its own, or the code of a thread on the thread's own stack. A switch leads from any context directly to any
// other, so it need not go through the thread's own stack. The switch (stack_switch.hpp) preserves the registers that a
// call preserves, and the control words of the floating-point units.
//
//   begin, end       the thread that owns the object
//   switch_to        the code of this context, while it runs
// One thread at a time. If another thread resumes a suspended context, the operation that passes the context to it
// orders the two threads' accesses.
//
// The thread-local state that belongs to code moves with it: errno, and the exceptions that are being handled
// (__cxa_get_globals). It is exchanged before the switch: after the switch the code may be on another thread, where an
// address of thread-local storage would be wrong. The caller keeps the addresses for its thread (thread_part), since
// finding them takes as long as the rest of the switch.
#pragma once

#include <teff/fiber/control_words.hpp>
#include <teff/fiber/fiber_stack.hpp>
#include <teff/fiber/sanitizers.hpp>
#include <teff/fiber/stack_switch.hpp>

#include <cstddef>
#include <exception>
#include <span>
#include <utility>

namespace teff {

class fiber_context {
public:
    // The addresses of the calling thread's state that moves with code. Valid until the thread exits.
    class thread_part {
    public:
        thread_part() noexcept;

    private:
        friend fiber_context;
        // __cxa_eh_globals as the Itanium C++ ABI defines it; <cxxabi.h> only declares it.
        struct exception_globals {
            void* caught;
            unsigned uncaught;

            bool any() const noexcept { return caught != nullptr || uncaught != 0; }
        };

        exception_globals& exceptions_;
        int& error_;
    };

    // The context that the thread enters when a function has ended, and the thread's part.
    struct next_code {
        fiber_context& next;
        const thread_part& part;
    };
    // The code on the calling thread's present stack.
    fiber_context() noexcept = default;
    fiber_context(const fiber_context&) = delete;
    fiber_context& operator=(const fiber_context&) = delete;

    // Prepares the first switch to this context, which calls Function(argument, left) under these control words; `left`
    // is the context that switched here. When the function returns, this context is left for good. The stack must stay
    // valid until end(). room: how many of the stack's highest bytes the function does not use.
    template <next_code (*Function)(void* argument, fiber_context& left) noexcept>
    void begin(const fiber_stack& stack, std::size_t room, const control_words& words, void* argument) noexcept {
        argument_ = argument;
        exceptions_ = {};
        error_ = 0;
        switched_.begin(stack);
        const std::size_t size = stack.size - room;
        void* const end = static_cast<std::byte*>(stack.lowest) + size;
        begin_stack(left_at_, end, size, words, &call_function<Function>, this);
    }
    // Suspends this context and enters `next`. Returns when another context switches back, and then returns that
    // context. part: the calling thread's.
    [[gnu::always_inline]] fiber_context& switch_to(fiber_context& next, const thread_part& part) noexcept {
        exceptions_ = part.exceptions_;
        error_ = part.error_;
        next.install_state(part);
        return jump_to(next, false);
    }
    // Call after the context was left for good. Afterwards the stack may be reused.
    void end() noexcept { switched_.end(); }

    // Lists the calls of this suspended context, as calls_of() does. No thread may enter the context during the call.
    std::size_t calls(std::span<void*> to) const noexcept { return calls_of(left_at_, to); }

    // Resets the state to that after begin(), for running code that begins another function in the same context.
    static void begin_again(const control_words& words, const thread_part& part) noexcept {
        words.restore();
        part.error_ = 0;
    }

    // For a function that is called on the stack of another one but expects a state of its own: it begins with no
    // exceptions being handled, and end() undoes its changes of the control words. end() may run on another thread.
    // part: the calling thread's.
    class separate_state {
    public:
        explicit separate_state(const thread_part& part) noexcept {
            if (part.exceptions_.any()) [[unlikely]]
                before_ = std::exchange(part.exceptions_, {});
        }
        separate_state(const separate_state&) = delete;
        separate_state& operator=(const separate_state&) = delete;

        void end(const thread_part& part) const noexcept {
            words_.restore();
            // The function has returned, so it handles no exceptions any more.
            if (before_.any()) [[unlikely]]
                part.exceptions_ = before_;
        }

    private:
        const control_words words_;
        thread_part::exception_globals before_{};
    };

private:
    void install_state(const thread_part& part) const noexcept {
        part.exceptions_ = exceptions_;
        part.error_ = error_;
    }
    [[gnu::always_inline]] fiber_context& jump_to(fiber_context& next, bool for_good) noexcept {
        if (sanitizers::is_any_present()) [[unlikely]]
            switched_.about_to_leave(next.switched_, for_good);
        auto& left = *static_cast<fiber_context*>(switch_stack(left_at_, next.left_at_, this));
        if (sanitizers::is_any_present()) [[unlikely]]
            switched_.has_arrived(left.switched_);
        return left;
    }
    template <next_code (*Function)(void* argument, fiber_context& left) noexcept>
    static next_place call_function(void* self, void* left) noexcept {
        auto& mine = *static_cast<fiber_context*>(self);
        auto& from = *static_cast<fiber_context*>(left);
        mine.switched_.has_arrived(from.switched_);
        const auto [next, here] = Function(mine.argument_, from);
        next.install_state(here);
        // A sanitizer would attribute the exit from this function to the next context. So under a sanitizer this
        // function switches and never returns.
        if (sanitizers::is_any_present()) [[unlikely]] {
            mine.jump_to(next, true);
            std::terminate();  // unreachable
        }
        return {&next.left_at_, self};
    }

    left_code left_at_;
    void* argument_ = nullptr;
    // the thread-local state of the code, while the code is suspended
    thread_part::exception_globals exceptions_{};
    int error_ = 0;
    sanitizers::switched_code switched_;
};

}  // namespace teff
