// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calling thread's cache of copies (copies.hpp), as a thread-local variable. The model build replaces this header,
// which is why it is a file of its own.
#pragma once

#include <teff/frontends/fork_join/thread_copies.hpp>

namespace teff::forking {

extern constinit thread_local thread_copies own_copies [[gnu::tls_model("initial-exec")]];

}  // namespace teff::forking
