// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and sets the affinity mask through the C library's wrappers of the system calls. They take a cpu_set_t, which
// is an array of words with the same layout as ours.
#include <teff/machine/cpu_mask.hpp>

#include <cerrno>
#include <sched.h>
#include <unistd.h>

namespace teff {

cpu_mask cpu_mask::of_thread(int thread) noexcept {
    const int saved_errno = errno;
    cpu_mask mask;
    auto* const words = reinterpret_cast<cpu_set_t*>(mask.words_.data());
    if (::sched_getaffinity(thread, sizeof mask.words_, words) != 0)
        mask = cpu_mask();
    errno = saved_errno;
    return mask;
}

cpu_mask cpu_mask::of_calling_thread() noexcept {
    // The number 0 means the calling thread, not its process.
    cpu_mask mask = of_thread(0);
    if (mask.count() == 0) {
        const int saved_errno = errno;
        const long online = ::sysconf(_SC_NPROCESSORS_ONLN);
        mask.add(0);
        for (int cpu = 1; cpu < online && cpu < capacity; ++cpu)
            mask.add(cpu);
        errno = saved_errno;
    }
    return mask;
}

bool cpu_mask::bind_thread(int thread) const noexcept {
    const int saved_errno = errno;
    const auto* const words = reinterpret_cast<const cpu_set_t*>(words_.data());
    const bool bound = ::sched_setaffinity(thread, sizeof words_, words) == 0;
    errno = saved_errno;
    return bound;
}

}  // namespace teff
