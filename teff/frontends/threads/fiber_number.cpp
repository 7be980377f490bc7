// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers of fibers, which threads take in blocks; see fiber_number.hpp.
#include <teff/frontends/threads/fiber_number.hpp>

#include <teff/base/atomic.hpp>
#include <teff/frontends/threads/waits.hpp>

namespace teff::threads {
namespace {

// A thread takes numbers in blocks, so that it seldom writes the shared counter.
struct block_of_numbers {
    std::uint64_t next = 0, end = 0;
};
constinit thread_local block_of_numbers own_numbers [[gnu::tls_model("initial-exec")]];
constinit atomic<std::uint64_t> first_free_number{1};

}  // namespace

std::uint64_t next_fiber_number() noexcept {
    constexpr std::uint64_t block_size = 1000;
    block_of_numbers& own = own_numbers;
    if (own.next == own.end) [[unlikely]] {
        make_waits_known();
        // relaxed: the numbers differ, and publish nothing.
        own.next = first_free_number.fetch_add(block_size, std::memory_order_relaxed);
        own.end = own.next + block_size;
    }
    return own.next++;
}

}  // namespace teff::threads
