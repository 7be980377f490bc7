// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pair of fences for a fast path that nearly always runs alone: the fast side pays no instruction, the rare side pays
// for both.
//
// A heavy fence makes every running thread of the process execute a full fence while the call lasts (Linux:
// membarrier(2), private expedited; about 10 us while other threads run). A light fence only keeps the compiler from
// moving memory accesses across it. So one of each orders like two sequentially consistent fences:
//   fast side:  X = 1;  light_fence();  read Y          rare side:  Y = 1;  heavy_fence();  read X
// The fast thread executes the full fence of heavy_fence() at some point. If X = 1 comes before that point, the rare
// side sees it; otherwise the read of Y comes after that point, too, and sees Y = 1.
//
// Any thread may call both. ThreadSanitizer sees neither fence, so data that is read after such a pair also needs a
// release and an acquire.
#pragma once

#include <teff/base/atomic.hpp>

#include <atomic>

namespace teff {

inline void light_fence() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }

// False: the kernel does not allow it (before Linux 4.14, or under a filter of system calls) or has no memory for it,
// and nothing was ordered.
// The first call in a process also registers the process, unless prepare_heavy_fence() has done so; with several
// threads that takes a dozen milliseconds.
bool heavy_fence(site = site::current()) noexcept;
// For a thread that starts others: finds out whether the kernel allows heavy fences, and registers the process if it
// has only one thread, when that takes microseconds.
void prepare_heavy_fence() noexcept;
// False once the kernel was found not to allow heavy fences.
bool may_use_heavy_fence() noexcept;

}  // namespace teff
