// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binds by sched_setaffinity on the calling thread.
#include <teff/machine/pinning.hpp>

#include <sys/syscall.h>
#include <unistd.h>

namespace teff {

namespace {

bool is_first_thread() noexcept { return ::syscall(SYS_gettid) == ::getpid(); }

}  // namespace

bool bind_worker_thread(const topology& machine, unsigned worker) noexcept {
    if (is_first_thread() || !machine.is_real())
        return false;
    cpu_mask one;
    one.add(machine.cpu_of_worker(worker));
    return one.bind_calling_thread();
}

void scoped_binding::bind(const cpu_mask& to) noexcept {
    if (is_first_thread())
        return;
    before_ = cpu_mask::of_calling_thread();
    if (!to.bind_calling_thread())
        before_.reset();
}

void scoped_binding::restore() noexcept {
    // The CPUs may have been taken from the process meanwhile; then the worker stays where it is.
    [[maybe_unused]] const bool restored = before_->bind_calling_thread();
}

}  // namespace teff
