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
};

}  // namespace teff
