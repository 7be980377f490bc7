// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that nest deeper than their stack continue on further stacks, from the pool of fibers' stacks.
//
// A task does not need the stack of the code that makes it, so where a stack is used up, tasks are queued
// (deferral.hpp). Only waits nest without a bound: a fork inside a fork, a task that waits for its own tasks. Such a
// call continues on a further stack of 8 MiB. So does a call that queues a task of a group, if too little stack is left
// for that. All of these stacks together take at most the option more_stack_mib; beyond that forks and such calls throw
// stack_exhausted, and a wait, which cannot throw, stays where it is. A page of a stack takes memory from its first use
// on. A call that makes a team or a reduction gets no further stack and throws stack_exhausted at once: each level of
// them takes far more other memory than stack.
//
// The stacks are those of fibers, so the definitions are in frontends/threads/large_stack.cpp. The OpenMP runtime has
// none: there a wait stays on its thread's stack, whose size is OMP_STACKSIZE.
#pragma once

#include <teff/strand/stack.hpp>

#include <memory>

namespace teff {

// Calls `what(argument)` on a further stack, and throws what it throws. False: no stack was available, and nothing was
// called. Always false if the stack of the calling thread is too small for the runtime. Any thread.
bool call_on_more_stack(void (*what)(void* argument), void* argument);

// The same for a function.
template <class F>
bool on_more_stack(F&& f) {
    auto* address = std::addressof(f);
    return call_on_more_stack([](void* function) { (**static_cast<decltype(address)*>(function))(); }, &address);
}

// Waits on the present stack, or on a further one if the stack is used up and another is available. A thread without a
// team runs no tasks while it waits, so it stays on its stack.
template <class F>
void wait_with_room(F&& wait) noexcept {
    if (running_thread.member == nullptr || has_stack() || !on_more_stack(wait))
        wait();
}

}  // namespace teff
