// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See fiber_context.hpp.
#include <teff/fiber/fiber_context.hpp>

#include <teff/fiber/stack_switch.hpp>

#include <cerrno>
#include <cstddef>
#include <cxxabi.h>
#include <exception>
#include <utility>

namespace teff {
namespace {

// __cxa_eh_globals as the Itanium C++ ABI defines it; <cxxabi.h> only declares it.
struct exception_globals {
    void* caught;
    unsigned uncaught;
};

constinit thread_local exception_globals* own_globals [[gnu::tls_model("initial-exec")]] = nullptr;

exception_globals& globals_of_this_thread() noexcept {
    if (own_globals == nullptr) [[unlikely]]
        own_globals = reinterpret_cast<exception_globals*>(abi::__cxa_get_globals());
    return *own_globals;
}

}  // namespace

void fiber_context::begin(const fiber_stack& stack, std::size_t room, const control_words& words, function what,
                          void* argument) noexcept {
    what_ = what;
    argument_ = argument;
    switched_.begin(stack);
    const std::size_t size = stack.size - room;
    left_at_ = first_place(static_cast<std::byte*>(stack.lowest) + size, size, words, &call_function, this);
}

void fiber_context::call_function(void* self, void* left) noexcept {
    auto& mine = *static_cast<fiber_context*>(self);
    mine.switched_.has_arrived(static_cast<fiber_context*>(left)->switched_);
    mine.what_(mine.argument_);
    std::terminate();  // unreachable
}

inline void fiber_context::exchange_state(fiber_context& next) noexcept {
    auto& exceptions = globals_of_this_thread();
    caught_exceptions_ = exceptions.caught;
    uncaught_exceptions_ = exceptions.uncaught;
    exceptions = {next.caught_exceptions_, next.uncaught_exceptions_};
    int& error = errno;
    error_ = std::exchange(error, next.error_);
}

// Out of line, so that all code is left at one call (stack_switch.hpp), but where a sanitizer is to be told.
[[gnu::noinline]] void fiber_context::jump_to(fiber_context& next, bool for_good) noexcept {
    if (sanitizers::is_any_present()) [[unlikely]]
        return tell_and_jump_to(next, for_good);
    exchange_state(next);
    switch_stack(left_at_, next.left_at_, this);
}

[[gnu::cold, gnu::noinline]] void fiber_context::tell_and_jump_to(fiber_context& next, bool for_good) noexcept {
    exchange_state(next);
    switched_.about_to_leave(next.switched_, for_good);
    void* const left = switch_stack(left_at_, next.left_at_, this);
    switched_.has_arrived(static_cast<fiber_context*>(left)->switched_);
}

void fiber_context::switch_to(fiber_context& next) noexcept { jump_to(next, false); }

void fiber_context::switch_for_good_to(fiber_context& next) noexcept {
    jump_to(next, true);
    std::terminate();  // unreachable
}

[[gnu::noinline]] void fiber_context::begin_again(const control_words& words) noexcept {
    words.restore();
    errno = 0;
}

fiber_context::separate_state::separate_state() noexcept {
    auto& exceptions = globals_of_this_thread();
    if (exceptions.caught != nullptr || exceptions.uncaught != 0) [[unlikely]] {
        caught_exceptions_ = std::exchange(exceptions.caught, nullptr);
        uncaught_exceptions_ = std::exchange(exceptions.uncaught, 0);
    }
}

fiber_context::separate_state::~separate_state() {
    words_.restore();
    // A function that has returned leaves no exceptions.
    if (caught_exceptions_ != nullptr || uncaught_exceptions_ != 0) [[unlikely]]
        globals_of_this_thread() = {caught_exceptions_, uncaught_exceptions_};
}

}  // namespace teff
