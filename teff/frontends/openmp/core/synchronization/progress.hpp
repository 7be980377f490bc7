// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number that only grows, and that threads wait for: whose turn it is in an ordered loop, which loops have ended.
//
//              advance_to    await, has_reached    safe together?
//   advance_to     -               yes             one thread at a time
//   await                          yes
#pragma once

#include <teff/base/sanitizers.hpp>
#include <teff/frontends/openmp/core/synchronization/waiters.hpp>

#include <cstdint>

namespace teff::openmp {

class progress {
public:
    constexpr progress() noexcept = default;

    bool has_reached(std::uint64_t target) const noexcept {
        // acquire: sees what was done before; partner: the store in advance_to().
        const bool has = value_.load(std::memory_order_acquire) >= target;
        if (has)
            sanitizers::happens_after(value_.address());
        return has;
    }
    // threads: how many there are in the team. False: is_given_up was set, and the number may never come.
    bool await(std::uint64_t target, unsigned threads, const atomic<bool>& is_given_up) noexcept {
        if (has_reached(target)) [[likely]]
            return true;
        // relaxed, of the mark: what a thread does when it goes on does not depend on what the canceller did, and
        // threads do not sleep in a region that may be cancelled (waiters.hpp).
        waiting_.await(
            [&](std::memory_order order) {
                return value_.load(order) >= target || is_given_up.load(std::memory_order_relaxed);
            },
            threads);
        return has_reached(target);
    }
    void advance_to(std::uint64_t value) noexcept {
        sanitizers::happens_before(value_.address());
        // seq_cst: see waiters.hpp. The store is also a release for has_reached().
        value_.store(value, std::memory_order_seq_cst);
        waiting_.notify();
    }
    // While no other thread uses it: starts again. (The caller publishes it.)
    void restart_at(std::uint64_t value) noexcept {
        // relaxed: see above.
        value_.store(value, std::memory_order_relaxed);
    }

private:
    atomic<std::uint64_t> value_{0};
    waiters waiting_;
};

}  // namespace teff::openmp
