// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one table of scheduler names: what a user writes, and one sentence for `teff info --schedulers`.
//
// A name here is also the name of the file and of the class template teff::NAME_scheduler. The order is the order of
// teff::all_schedulers (schedulers.hpp), which asserts it. The first is the default.
#pragma once

#include <teff/base/named_choice.hpp>

namespace teff {

inline constexpr named_choice scheduler_names[] = {
    {"demand", "private LIFO of values per worker; items become stealable when somebody asks (Teff's own default)"},
    {"blaze", "FIFO queue of blocks per worker, stealing by proximity and queue estimate (Blaze-Tasks, section 4.3)"},
    {"xqueue_static", "new tasks dealt out in turn over one queue per pair of workers (X-OpenMP, section 3)"},
    {"xqueue_wait", "the same, and an idle worker asks one victim and waits for its answer (X-OpenMP, section 4.1)"},
    {"xqueue_nowait", "the same, but it goes on looking while it has asked (X-OpenMP, section 4.2)"},
    {"xqueue_nowait2", "the same, and a victim gives two tasks at once (X-OpenMP, section 4.3)"},
    {"ompi", "small ring per worker, dequeues combined; while it is full new tasks run at once (OMPi, section 2.1)"},
    {"fifo", "lock-free FIFO per shepherd, new tasks go to the shepherds in turn, no stealing (Qthreads)"},
    {"sherwood", "LIFO per shepherd under a mutex, several tasks stolen at once (Qthreads, section 3.1)"},
    {"nemesis", "FIFO per worker, new tasks go to the workers in turn, no stealing (Qthreads, section 3.2)"},
    {"distrib", "LIFO per worker, the oldest task stolen, one at a time (Qthreads, section 3.3)"},
};

}  // namespace teff
