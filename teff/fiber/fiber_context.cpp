// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the addresses of a thread's state that moves with code; see fiber_context.hpp.
#include <teff/fiber/fiber_context.hpp>

#include <cerrno>

// A function of the Itanium C++ ABI. The <cxxabi.h> of libstdc++ declares it, that of libc++ does not.
namespace __cxxabiv1 {

struct __cxa_eh_globals;
extern "C" __cxa_eh_globals* __cxa_get_globals() noexcept;

}  // namespace __cxxabiv1

namespace teff {

// Out of line, so that no compiler keeps an address of thread-local storage across a switch.
[[gnu::noinline]] fiber_context::thread_part::thread_part() noexcept
    : exceptions_(*reinterpret_cast<exception_globals*>(__cxxabiv1::__cxa_get_globals())), error_(errno) {}

}  // namespace teff
