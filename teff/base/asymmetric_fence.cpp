// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The heavy fence by membarrier(2).
#include <teff/base/asymmetric_fence.hpp>

#include <cerrno>
#include <linux/membarrier.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace teff {
namespace {

bool membarrier(int command) noexcept { return ::syscall(__NR_membarrier, command, 0, 0) == 0; }

// false after the kernel has refused once
constinit atomic<bool> is_allowed{true};

// relaxed: a hint that saves system calls.
void remember_refusal() noexcept { is_allowed.store(false, std::memory_order_relaxed); }

}  // namespace

bool heavy_fence(site) noexcept {
    // relaxed: as in remember_refusal().
    if (!is_allowed.load(std::memory_order_relaxed))
        return false;
    const int saved_errno = errno;
    bool done = membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    // The process is not registered yet.
    if (!done && errno == EPERM && membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED))
        done = membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    // The kernel may lack memory for a moment.
    if (!done && errno != ENOMEM)
        remember_refusal();
    errno = saved_errno;
    return done;
}

void prepare_heavy_fence() noexcept {
    const int saved_errno = errno;
    bool allowed = false;
    if (__libc_single_threaded) {
        allowed = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
    } else {
        const long commands = ::syscall(__NR_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
        allowed = commands >= 0 && (commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0;
    }
    if (!allowed)
        remember_refusal();
    errno = saved_errno;
}

bool may_use_heavy_fence() noexcept {
    // relaxed: as in remember_refusal().
    return is_allowed.load(std::memory_order_relaxed);
}

}  // namespace teff
