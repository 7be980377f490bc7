// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one accessor of the calling thread's state.
#include <teff/runtime/worker.hpp>

namespace teff {

[[gnu::noinline]] thread_state& this_thread() noexcept {
    static thread_local constinit thread_state state;
    return state;
}

}  // namespace teff
