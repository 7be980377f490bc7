// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binds by sched_setaffinity on the calling thread.
#include <teff/machine/pinning.hpp>

#include <sys/syscall.h>
#include <unistd.h>

namespace teff {

bool bind_worker_thread(const topology& machine, unsigned worker) noexcept {
    const bool is_first_thread = ::syscall(SYS_gettid) == ::getpid();
    if (is_first_thread || !machine.is_real())
        return false;
    cpu_mask one;
    one.add(machine.cpu_of_worker(worker));
    return one.bind_calling_thread();
}

}  // namespace teff
