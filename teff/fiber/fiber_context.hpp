// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A context: code that can be suspended anywhere and resumed on any thread. It is a function on a stack of its own, or
// the code of a thread on the thread's own stack. A switch leads from any context directly to any other, so it need not
// go through the thread's own stack. The switch (stack_switch.hpp) preserves the registers that a call preserves, and
// the control words of the floating-point units.
//
//   begin, end       the thread that owns the object
//   switch_to        the code of this context, while it runs
// One thread at a time. If another thread resumes a suspended context, the operation that passes the context to it
// orders the two threads' accesses.
//
// Other state of a thread that belongs to the code moves with it: errno, and the exceptions that are being handled
// (__cxa_get_globals). It is exchanged before the switch: after the switch the code may be on another thread, where an
// address of thread-local storage would be wrong. The caller keeps the addresses for its thread (thread_part), since to
// find them takes as long as the rest of the switch.
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
    // Where the calling thread has the state that moves with code. Valid until the thread exits.
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

    // The code that the thread continues with when a function has ended, and the thread's own part.
    struct next_code {
        fiber_context& next;
        const thread_part& here;
    };
    // Code on the calling thread's present stack.
    fiber_context() noexcept = default;
    fiber_context(const fiber_context&) = delete;
    fiber_context& operator=(const fiber_context&) = delete;

    // Prepares the first switch to it, which calls the function with these control words and the code that was left.
    // When the function returns, this code is left for good. The stack belongs to the caller, until end(). room: the
    // highest bytes of the stack, which the function does not use.
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
    // Leaves this code and goes on with `next`. Returns the code that was left for this one, when some is. here: of the
    // calling thread.
    [[gnu::always_inline]] fiber_context& switch_to(fiber_context& next, const thread_part& here) noexcept {
        exceptions_ = here.exceptions_;
        error_ = here.error_;
        next.install_state(here);
        return jump_to(next, false);
    }
    // After it was left for good. The stack may be reused.
    void end() noexcept { switched_.end(); }

    // Lists the calls that this code was left in, as calls_of() does. No thread may enter the code meanwhile.
    std::size_t calls(std::span<void*> to) const noexcept { return calls_of(left_at_, to); }

    // For code that goes on as other code that begins: the state is that of begin().
    static void begin_again(const control_words& words, const thread_part& here) noexcept {
        words.restore();
        here.error_ = 0;
    }

    // For a function that is called on another one's stack, but that expects a state of its own: it begins without
    // exceptions that are being handled, and its changes of the control words end with it. It may end on another
    // thread. here: of the calling thread.
    class separate_state {
    public:
        explicit separate_state(const thread_part& here) noexcept {
            if (here.exceptions_.any()) [[unlikely]]
                before_ = std::exchange(here.exceptions_, {});
        }
        separate_state(const separate_state&) = delete;
        separate_state& operator=(const separate_state&) = delete;

        void end(const thread_part& here) const noexcept {
            words_.restore();
            // A function that has returned leaves no exceptions.
            if (before_.any()) [[unlikely]]
                here.exceptions_ = before_;
        }

    private:
        const control_words words_;
        thread_part::exception_globals before_{};
    };

private:
    void install_state(const thread_part& here) const noexcept {
        here.exceptions_ = exceptions_;
        here.error_ = error_;
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
        // The tool would attribute this function's own exit to the next code, so the switch does not return from it.
        if (sanitizers::is_any_present()) [[unlikely]] {
            mine.jump_to(next, true);
            std::terminate();  // unreachable
        }
        return {&next.left_at_, self};
    }

    left_code left_at_;
    void* argument_ = nullptr;
    // the part of a thread's state that belongs to the code, while it does not run
    thread_part::exception_globals exceptions_{};
    int error_ = 0;
    sanitizers::switched_code switched_;
};

}  // namespace teff
