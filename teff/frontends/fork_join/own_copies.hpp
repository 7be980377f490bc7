// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calling thread's cache of copies (copies.hpp), as a thread-local variable. A file of its own, because the model
// build replaces it.
#pragma once

#include <teff/frontends/fork_join/thread_copies.hpp>

namespace teff::forking {

extern constinit thread_local thread_copies own_copies [[gnu::tls_model("initial-exec")]];

}  // namespace teff::forking
