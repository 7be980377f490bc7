// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Defines each thread's context, in a source that the model checker leaves out. Its initial value says that the
// thread has not used the runtime yet.
#include <teff/strand/running_thread.hpp>

namespace teff {

constinit thread_local thread_context running_thread;

}  // namespace teff
