// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's context begins as that of a thread that has used nothing yet.
#include <teff/runtime/running_thread.hpp>

namespace teff {

constinit thread_local thread_context running_thread;

}  // namespace teff
