// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread begins without spare blocks.
#include <teff/frontends/openmp/core/own_spare_blocks.hpp>

namespace teff::openmp {

constinit thread_local spare_blocks own_spare_blocks;

}  // namespace teff::openmp
