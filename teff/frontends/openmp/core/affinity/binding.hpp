// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which processor place each thread of a region gets (OpenMP 5.1, section 2.6.2), and the binding of threads to places.
// OpenMP's word for a set of processors is place, too; here it is always a processor place, which has a number in the
// list of cpu_places.hpp.
//
// A thread has a position: the number of its processor place, and the places among which its own inner regions are
// spread (place-partition-var). The position of a member follows from its number, the size of the team, the policy and
// the position of the thread that opens the region:
//
//   primary       all where the opening thread is
//   close, any    one place after the other, beginning there, and around at the end of the partition
//   spread        the partition is divided into parts of consecutive places, as many as there are threads. Member 0
//                 stays where it is and gets the part that it is in; each next member gets the first place of the next
//                 part
//
// If there are more threads than places, each place gets the same number of consecutive threads, and the threads that
// are left over go to the first places again. With `spread` each thread's partition is then its own place.
//
// The initial threads of the teams of a league have positions by the same rules, as if they were the members of one
// team. The specification leaves them to the implementation.
//
// A thread remembers the place to which it is bound, so a further region with the same places needs no system call. An
// initial thread is bound, too, as the specification says, if the user has asked for binding: when it opens its first
// region or asks for its place, and not before.
#pragma once

#include <teff/frontends/openmp/core/environment/icvs.hpp>
#include <teff/frontends/openmp/core/teams/place.hpp>

namespace teff::openmp {

// number: the number of the member, 0 to size - 1. If the opener is not bound, the member is not bound either.
cpu_position position_of(binding policy, unsigned number, unsigned size, const cpu_position& opener) noexcept;

// The position of the initial thread of team `number` of a league of `teams` teams. thread_limit: of each team. Teams
// run one after the other, so a part of the places would be too little for a team with more threads than places in it:
// such a team keeps the opener's position.
cpu_position position_of_team(binding policy, unsigned number, unsigned teams, unsigned thread_limit,
                              const cpu_position& opener) noexcept;

// Binds the calling thread to the processor place with this number; -1 changes nothing. If the system refuses, the
// thread keeps its mask.
void bind_to(int cpu_place) noexcept;

// Gives an initial thread its position: the first place, if threads are to be bound.
void bind_initial_thread(place& initial) noexcept;
// With KMP_AFFINITY=reset: lets an initial thread run on all processors again, after a region that it has opened.
void unbind_initial_thread(place& initial) noexcept;

// Called when a thread changes its own mask (kmp_set_affinity): the thread is then bound to no place.
void forget_binding() noexcept;

}  // namespace teff::openmp
