// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See fiber_local.hpp.
#include <teff/frontends/threads/fiber_local.hpp>

#include <teff/base/atomic.hpp>
#include <teff/frontends/threads/fiber_state.hpp>

namespace teff::threads {

local_value::~local_value() = default;

// Out of line, since the code around may continue on another thread.
[[gnu::noinline]] local_values& local_values_here() noexcept {
    static thread_local local_values of_thread;
    fiber_state* const here = fiber_state::that_can_wait();
    return here != nullptr ? here->locals() : of_thread;
}

std::uint64_t local_key() noexcept {
    static constinit atomic<std::uint64_t> last{0};
    // relaxed: the numbers only have to differ.
    return last.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace teff::threads
