// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The spare blocks of the calling thread, at first none. (Apart, since the model checker replaces this header.)
#pragma once

#include <teff/frontends/openmp/core/tasks/spare_blocks.hpp>

namespace teff::openmp {

inline constinit thread_local spare_blocks own_spare_blocks [[gnu::tls_model("initial-exec")]];

}  // namespace teff::openmp
