// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one accessor of the calling thread's state.
#include <teff/strand/worker.hpp>

#include <teff/base/per_thread.hpp>

namespace teff {

[[gnu::noinline]] thread_state& this_thread() noexcept {
    return per_thread<thread_state>();
}

}  // namespace teff
