// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the state of the calling thread; see worker.hpp. It is in the core, which a process has once, as opposed to the
// rest of this floor.
#include <teff/strand/worker.hpp>

#include <teff/base/thread.hpp>

namespace teff {

[[gnu::noinline]] thread_state& this_thread() noexcept {
    return per_thread<thread_state>();
}

}  // namespace teff
