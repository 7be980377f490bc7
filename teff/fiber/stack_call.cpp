// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls a function on another stack; see stack_call.hpp. The switch is Boost.Context's.
#include <teff/fiber/stack_call.hpp>

#include <teff/fiber/sanitizers.hpp>

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>
#include <exception>

namespace teff {
namespace {

namespace context = boost::context::detail;

struct stack_call {
    void (*const what)(void* argument) noexcept;
    void* const argument;
    sanitizers::called_on_stack switched;

    static void run(context::transfer_t from) noexcept {
        auto& mine = *static_cast<stack_call*>(from.data);
        mine.switched.has_begun();
        mine.what(mine.argument);
        mine.switched.about_to_return();
        context::jump_fcontext(from.fctx, nullptr);
        std::terminate();  // unreachable
    }
};

}  // namespace

void call_on_stack(const fiber_stack& stack, void (*what)(void* argument) noexcept, void* argument) noexcept {
    stack_call made{what, argument, {}};
    void* const end = static_cast<std::byte*>(stack.lowest) + stack.size;
    const context::fcontext_t begin = context::make_fcontext(end, stack.size, &stack_call::run);
    made.switched.about_to_call(stack);
    context::jump_fcontext(begin, &made);
    made.switched.has_returned();
}

}  // namespace teff
