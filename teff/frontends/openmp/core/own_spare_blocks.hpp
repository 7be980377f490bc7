// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The spare blocks of the calling thread. The model build has a header of its own in the place of this one.
#pragma once

#include <teff/frontends/openmp/core/spare_blocks.hpp>

namespace teff::openmp {

extern constinit thread_local spare_blocks own_spare_blocks [[gnu::tls_model("initial-exec")]];

}  // namespace teff::openmp
