// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schedulers as data, for programs that compare them: their names and traits.
//
//   for (const teff::scheduler_traits& each : teff::schedulers())
//       std::printf("%-14s %f s\n", each.name, time_of({.threads = 8, .scheduler = each.name}));
//
//   teff::schedulers()            an array of scheduler_traits (teff/scheduler/schedulers.hpp), the default first
//   teff::find_scheduler(name)    the traits of one scheduler, as a std::optional
//
// Both are evaluated at compile time and need no library. The traits of a scheduler name its publication, the order in
// which it runs tasks, whether other workers can take tasks, and the options of docs/options.md that it reads. The
// table is in teff/scheduler/schedulers.hpp, together with smaller lists for calls that are compiled for only some of
// the schedulers.
#pragma once

#include <teff/scheduler/schedulers.hpp>
