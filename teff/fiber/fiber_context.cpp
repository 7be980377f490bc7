// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See fiber_context.hpp.
#include <teff/fiber/fiber_context.hpp>

#include <cerrno>
#include <cxxabi.h>

namespace teff {

// Out of line, so that no compiler keeps an address of thread-local storage across a switch.
[[gnu::noinline]] fiber_context::thread_part::thread_part() noexcept
    : exceptions_(*reinterpret_cast<exception_globals*>(abi::__cxa_get_globals())), error_(errno) {}

}  // namespace teff
