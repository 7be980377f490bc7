// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's context begins as that of a thread that has not forked yet.
#include <teff/frontends/fork_join/current.hpp>

namespace teff::forking {

constinit thread_local context current;

}  // namespace teff::forking
