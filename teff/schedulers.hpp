// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schedulers as data, for programs that compare them: their names and traits.
//
//   for (const teff::scheduler_traits& each : teff::schedulers())
//       std::printf("%-14s %f s\n", each.name, time_of({.threads = 8, .scheduler = each.name}));
//
//   teff::schedulers()            an array of scheduler_traits (teff/scheduler/traits.hpp); the first is the default
//   teff::find_scheduler(name)    those of one, as a std::optional
//
// Both are computed by the compiler and need no library. They tell what was published of a scheduler, in which order it
// runs tasks, whether others take them, and which options of docs/options.md it reads. The rows, and lists of some of
// them for calls that are compiled for fewer, are in teff/scheduler/schedulers.hpp.
#pragma once

#include <teff/scheduler/schedulers.hpp>
