// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See fiber_context.hpp.
#include <teff/fiber/fiber_context.hpp>

#include <boost/context/detail/fcontext.hpp>

#include <cerrno>
#include <cstddef>
#include <cxxabi.h>
#include <exception>

namespace teff {
namespace {

// __cxa_eh_globals as the Itanium C++ ABI defines it; <cxxabi.h> only declares it.
struct exception_globals {
    void* caught;
    unsigned uncaught;
};

}  // namespace

// Out of line: the addresses of errno and of the exceptions are those of the calling thread.
[[gnu::noinline]] fiber_context::thread_state fiber_context::exchange_state(const thread_state& next) noexcept {
    auto& exceptions = *reinterpret_cast<exception_globals*>(abi::__cxa_get_globals());
    const thread_state before{errno, exceptions.caught, exceptions.uncaught};
    errno = next.error;
    exceptions = {next.caught_exceptions, next.uncaught_exceptions};
    return before;
}

void fiber_context::begin(const fiber_stack& stack, function what, void* argument) noexcept {
    stack_ = stack;
    what_ = what;
    argument_ = argument;
    switched_.begin();
    inside_ = boost::context::detail::make_fcontext(
        static_cast<std::byte*>(stack.lowest) + stack.size, stack.size,
        [](boost::context::detail::transfer_t from) {
            auto& mine = *static_cast<fiber_context*>(from.data);
            mine.arrive(from.fctx);
            mine.what_(mine.argument_);
            std::terminate();  // unreachable
        });
}

void fiber_context::enter() noexcept {
    const thread_state outer = exchange_state(state_);
    switched_.about_to_enter(stack_);
    inside_ = boost::context::detail::jump_fcontext(inside_, this).fctx;
    switched_.has_left();
    state_ = exchange_state(outer);
}

void fiber_context::arrive(void* outside) noexcept {
    outside_ = outside;
    switched_.has_entered();
}

void fiber_context::jump_out(bool for_good) noexcept {
    switched_.about_to_leave(for_good);
    const boost::context::detail::transfer_t entered = boost::context::detail::jump_fcontext(outside_, nullptr);
    arrive(entered.fctx);
}

void fiber_context::leave() noexcept { jump_out(false); }

void fiber_context::leave_for_good() noexcept {
    jump_out(true);
    std::terminate();  // unreachable
}

}  // namespace teff
