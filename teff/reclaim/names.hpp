// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The only table of reclaimer names: the name that a user writes, and one sentence for `teff info`. It is apart from
// the reclaimers, which commands do not compile.
//
// Each name is also the name of the file and of the class teff::NAME_reclaimer. The first row is the default. `gc` is
// absent from builds with a sanitizer (TEFF_WITH_GC), and needs the Boehm collector when it is used.
#pragma once

#include <teff/base/names.hpp>

namespace teff {

inline constexpr named_choice reclaimer_names[] = {
    {"epoch", "frees a block once every thread has left or moved on (vector time stamps; Blaze-Tasks, section 2.3)"},
    {"arena", "frees at quiescence only: when the team ends"},
    {"hazard", "publish and scan: frees a block that no thread has announced"},
#if defined(TEFF_WITH_GC)
    {"gc", "leaves it to the Boehm garbage collector, libgc.so.1, which must be installed"},
#endif
};

}  // namespace teff
