// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the calling fiber's or thread's list of copies; see fiber_local.hpp.
#include <teff/frontends/threads/fiber_local.hpp>

#include <teff/base/atomic.hpp>
#include <teff/base/thread.hpp>
#include <teff/frontends/threads/fiber_state.hpp>

#include <new>

namespace teff::threads {

local_value::~local_value() = default;

namespace {

constinit thread_local local_values values_of_thread;
const end_of_main_thread destroys_at_exit;
void destroy_values_of_thread() noexcept { values_of_thread.destroy_all(); }

}  // namespace

// Out of line: the surrounding code may continue on another thread.
[[gnu::noinline]] local_values& local_values_here() {
    if (fiber_state* const own_fiber = fiber_state::that_can_wait())
        return own_fiber->locals();
    if (!call_at_thread_end<destroy_values_of_thread>())
        throw std::bad_alloc();
    return values_of_thread;
}

std::uint64_t local_key() noexcept {
    static constinit atomic<std::uint64_t> last{0};
    // relaxed: the numbers only have to differ.
    return last.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace teff::threads
