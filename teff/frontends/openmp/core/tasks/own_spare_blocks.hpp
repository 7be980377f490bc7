// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The spare blocks of the calling thread, which begins without any. A header of its own, since the model build has
// another one in its place.
#pragma once

#include <teff/frontends/openmp/core/tasks/spare_blocks.hpp>

namespace teff::openmp {

inline constinit thread_local spare_blocks own_spare_blocks [[gnu::tls_model("initial-exec")]];

}  // namespace teff::openmp
