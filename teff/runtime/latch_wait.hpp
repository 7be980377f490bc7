// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How any thread waits for a count latch, whatever it is at the moment.
//
//   member of a team       runs tasks of its team meanwhile, on top of its stack, and sleeps if there are none
//   fiber                  it is left (frontends/threads/fiber_member.hpp)
//   any other thread       sleeps
#pragma once

#include <teff/runtime/count_latch.hpp>
#include <teff/runtime/wait_reason.hpp>

namespace teff {

inline constexpr wait_reason work_of_other_threads{
    .kind = "work of other threads", .event = "", .is_for_tasks = true};

// Returns when the latch has counted zero. why: for the report of a stall.
void wait_for(count_latch& awaited, const wait_reason& why = work_of_other_threads) noexcept;
// The same without running tasks.
void sleep_until_over(count_latch& awaited, const wait_reason& what) noexcept;

}  // namespace teff
