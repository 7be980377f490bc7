// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and sets the affinity mask through the C library's wrappers of the system calls. They take a cpu_set_t, which
// is an array of words with the same layout as ours.
#include <teff/machine/cpu_mask.hpp>

#include <cerrno>
#include <sched.h>
#include <unistd.h>

namespace teff {

cpu_mask cpu_mask::of_calling_thread() noexcept {
    const int saved_errno = errno;
    cpu_mask mask;
    auto* const words = reinterpret_cast<cpu_set_t*>(mask.words_.data());
    if (::sched_getaffinity(0, sizeof mask.words_, words) != 0 || mask.count() == 0) {
        mask = cpu_mask();
        const long online = ::sysconf(_SC_NPROCESSORS_ONLN);
        mask.add(0);
        for (int cpu = 1; cpu < online && cpu < capacity; ++cpu)
            mask.add(cpu);
    }
    errno = saved_errno;
    return mask;
}

bool cpu_mask::bind_calling_thread() const noexcept {
    const int saved_errno = errno;
    const auto* const words = reinterpret_cast<const cpu_set_t*>(words_.data());
    // The process number 0 means the calling thread, not its process.
    const bool bound = ::sched_setaffinity(0, sizeof words_, words) == 0;
    errno = saved_errno;
    return bound;
}

}  // namespace teff
