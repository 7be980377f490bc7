// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread begins without copies.
#include <teff/frontends/fork_join/own_copies.hpp>

namespace teff::forking {

constinit thread_local thread_copies own_copies;

}  // namespace teff::forking
