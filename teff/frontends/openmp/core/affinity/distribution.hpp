// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which processor place each thread of a region gets (OpenMP 5.1, section 2.6.2). OpenMP's word for a set of processors
// is place, too; here it is always a processor place, which has a number in the list of cpu_places.hpp.
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
#pragma once

#include <teff/frontends/openmp/core/environment/icvs.hpp>

namespace teff::openmp {

// number: of the member, 0 to size - 1. A thread whose opener is not bound is not bound either.
cpu_position position_of(binding policy, unsigned number, unsigned size, const cpu_position& opener) noexcept;

}  // namespace teff::openmp
