// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The initial context of a thread is that of a thread that has not used the runtime yet.
#include <teff/strand/running_thread.hpp>

namespace teff {

constinit thread_local thread_context running_thread;

}  // namespace teff
