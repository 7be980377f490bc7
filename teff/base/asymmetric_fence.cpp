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

}  // namespace

bool heavy_fence(site) noexcept {
    // relaxed: a hint that saves a system call.
    if (!is_allowed.load(std::memory_order_relaxed))
        return false;
    const int saved_errno = errno;
    bool done = membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    // The process is not registered yet.
    if (!done && errno == EPERM && membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED))
        done = membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    if (!done)
        // relaxed: as above.
        is_allowed.store(false, std::memory_order_relaxed);
    errno = saved_errno;
    return done;
}

void prepare_heavy_fence() noexcept {
    if (!__libc_single_threaded)
        return;
    const int saved_errno = errno;
    // If this fails, heavy_fence() tries again.
    static_cast<void>(membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED));
    errno = saved_errno;
}

bool may_use_heavy_fence() noexcept {
    // relaxed: a hint.
    return is_allowed.load(std::memory_order_relaxed);
}

}  // namespace teff
