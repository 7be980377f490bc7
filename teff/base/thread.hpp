// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread of the operating system, from its start to its end: starting one, objects of its own, and functions that are
// called when it exits.
//
// Threads are detached because workers live as long as the process: exit() must not wait for them. They receive no
// signals but those of their own faults (SIGSEGV and the like), so that the application's handlers run on the
// application's threads. Their stacks have the system's default size (`ulimit -s`), and 1 MiB if that is less; or the
// size that the program has chosen.
//
// No thread-local variable has a destructor: glibc ends a process that has no memory to register one ("failed to
// register TLS destructor"). Here a missing registration is a result, which the caller can report. The calls at a
// thread's end are a list of its own, in variables that need no memory, below one key of POSIX threads. They follow the
// destructors of the program's own thread-local variables. exit() ignores keys. So on the main thread one destructor
// makes the calls, before exit() destroys any static object; front ends that need this register it while they are
// loaded (end_of_main_thread). In the child of a fork() by another thread, exit() makes no calls.
#pragma once

#include <cstddef>
#include <type_traits>

namespace teff {

// Returns false if the system cannot start a thread (EAGAIN and the like); no resource is leaked then.
[[nodiscard]] bool start_thread(void* (*run)(void*), void* argument) noexcept;

// The size in bytes of the stacks of threads that are started from now on; 0: as described above. A size below 64 KiB
// becomes 64 KiB. If the system refuses a stack of this size, a line says so, and the size is 0 from then on. Any
// thread.
void choose_stack_size(std::size_t bytes) noexcept;
// The size that the next thread's stack will have.
[[nodiscard]] std::size_t next_stack_size() noexcept;

// One object of a type for each thread, constant-initialised at the thread's first use and never destroyed. Call it
// from out-of-line functions only, so that no compiler keeps the address of a thread-local variable across a point
// where the code may continue on another thread. The same holds for call_at_thread_end() below, which any thread calls
// for itself.
template <class T>
T& per_thread() noexcept {
    static_assert(std::is_trivially_destructible_v<T>);
    static thread_local constinit T object;
    return object;
}

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
