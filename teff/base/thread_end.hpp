// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that are called when the calling thread exits, for thread-local variables. None of these has a destructor:
// glibc ends a process that has no memory to register one ("failed to register TLS destructor"). Here a missing
// registration is a result, which the caller can report.
//
// The calls of a thread are a list of its own, in variables that need no memory, below one key of POSIX threads. They
// follow the destructors of the program's own thread-local variables. exit() ignores keys. So on the main thread one
// destructor makes the calls, before exit() destroys any static object; front ends that need this register it while
// they are loaded (end_of_main_thread). In the child of a fork() by another thread, exit() makes no calls.
//
//   call_at_thread_end   any thread, for itself; out-of-line functions only (per_thread.hpp)
#pragma once

#include <teff/base/per_thread.hpp>

namespace teff {

struct thread_end_call {
    void (*function)() noexcept = nullptr;
    thread_end_call* next = nullptr;
    bool is_registered = false;
};

// Registers a variable of the calling thread. False: there is no memory.
bool register_thread_end(thread_end_call& call) noexcept;

// A static object of this type has exit() make the main thread's calls. The program is not running yet when it is made,
// so a lack of memory there is the loader's to report.
struct end_of_main_thread {
    end_of_main_thread() noexcept;
};

// Calls the function once when the calling thread exits, the one that was registered last first. Again while it is
// registered, this has no effect; after its call, it registers another one. False: there is no memory.
template <void (*Function)() noexcept>
[[nodiscard]] bool call_at_thread_end() noexcept {
    struct mine : thread_end_call {};
    mine& call = per_thread<mine>();
    if (call.is_registered) [[likely]]
        return true;
    call.function = Function;
    return register_thread_end(call);
}

}  // namespace teff
