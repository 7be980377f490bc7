// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a thread keeps for its copies (copies.hpp). The model build has a header of its own in the place of this
// one.
#pragma once

#include <teff/frontends/fork_join/thread_copies.hpp>

namespace teff::forking {

extern constinit thread_local thread_copies own_copies [[gnu::tls_model("initial-exec")]];

}  // namespace teff::forking
