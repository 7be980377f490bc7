// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calling thread's cache of copies; empty when the thread begins. A file of its own, because the model build leaves
// it out.
#include <teff/frontends/fork_join/own_copies.hpp>

namespace teff::forking {

constinit thread_local thread_copies own_copies;

}  // namespace teff::forking
