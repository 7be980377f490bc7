// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a task accesses an object, and which accesses must be ordered (Vandierendonck, Tzenakis, Nikolopoulos, TACO 2013,
// sections 2.2 and 3.2).
//
// A generation is a series of tasks, one after the other in program order, that access an object in the same way and
// may run in any order. All tasks of a generation must have ended before one of the next generation starts:
//
//                  in   out   inout   commutative   concurrent     the next task
//   in           joins    new    new         new            new
//   out            new    new    new         new            new    a new generation of one task
//   inout          new    new    new         new            new    a new generation of one task
//   commutative    new    new    new       joins            new    one at a time: the front end's part
//   concurrent     new    new    new         new          joins    at once: reductions, and OpenMP's inoutset
#pragma once

namespace teff::depend {

enum class access_kind : unsigned char { in, out, inout, commutative, concurrent };

// Whether a task with the access `next` belongs to the generation of the tasks with the access `youngest` before it.
constexpr bool joins(access_kind youngest, access_kind next) noexcept {
    return next == youngest && next != access_kind::out && next != access_kind::inout;
}

}  // namespace teff::depend
