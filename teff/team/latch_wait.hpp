// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wait of any thread for a count latch. It depends on the calling code:
//
//   member of a team       runs tasks of its team meanwhile, on top of its stack, and sleeps if there are none
//   fiber                  is suspended (frontends/threads/fiber_member.hpp)
//   any other thread       sleeps
#pragma once

#include <teff/strand/wait_reason.hpp>
#include <teff/team/count_latch.hpp>

namespace teff {

inline constexpr wait_reason work_of_other_threads{
    .kind = "work of other threads", .event = "", .is_for_tasks = true};

// Returns when the latch has counted zero. why: for the report of a stall.
void wait_for(count_latch& awaited, const wait_reason& why = work_of_other_threads) noexcept;
// The same without running tasks.
void sleep_until_over(count_latch& awaited, const wait_reason& what) noexcept;

}  // namespace teff
