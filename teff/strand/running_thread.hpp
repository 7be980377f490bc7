// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The context of the calling thread. The model checker replaces this header.
#pragma once

#include <teff/strand/thread_context.hpp>

namespace teff {

extern constinit thread_local thread_context running_thread [[gnu::tls_model("initial-exec")]];

}  // namespace teff
