// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The context of the calling thread.
#pragma once

#include <teff/frontends/fork_join/context.hpp>

namespace teff::forking {

extern constinit thread_local context current [[gnu::tls_model("initial-exec")]];

}  // namespace teff::forking
