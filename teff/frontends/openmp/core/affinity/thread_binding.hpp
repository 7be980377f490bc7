// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binds threads to processor places. A thread remembers to which one it is bound, so that the next region with the same
// places costs it nothing.
//
// The first thread of the program is bound, too, and so is any other thread that opens regions: the specification says
// so, and it happens only if the user has asked for binding. It is bound when it opens its first region or asks for its
// place, and not before.
#pragma once

#include <teff/frontends/openmp/core/teams/place.hpp>

namespace teff::openmp {

// Binds the calling thread to the processor place with this number; -1: leaves it as it is. If the system refuses, the
// thread stays where it was.
void bind_to(int cpu_place) noexcept;

// The position of an initial thread, which gets the first place if threads are to be bound.
void bind_initial_thread(place& initial) noexcept;
// With KMP_AFFINITY=reset: after a region that an initial thread has opened, it may run on all processors again.
void unbind_initial_thread(place& initial) noexcept;

// A thread that changes its own mask (kmp_set_affinity) is bound to no place any more.
void forget_binding() noexcept;

}  // namespace teff::openmp
