// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The internal control variables of the process.
#include <teff/frontends/openmp/core/icvs.hpp>

#include <teff/frontends/openmp/core/announcement.hpp>
#include <teff/machine/cpu_count.hpp>

#include <stdlib.h>

namespace teff::openmp {
namespace {

process_icvs read_environment() noexcept {
    process_icvs read;
    read.initial.threads = default_thread_count();
    read.processors = static_cast<unsigned>(cpu_mask::of_calling_thread().count());
    if (const char* const threads = ::secure_getenv("OMP_NUM_THREADS"))
        if (const long number = ::strtol(threads, nullptr, 10); number > 0)
            read.initial.threads = static_cast<unsigned>(number);
    return read;
}

constinit device_icvs the_device;

}  // namespace

const process_icvs& process() noexcept {
    static const process_icvs read = [] {
        const process_icvs all = read_environment();
        announce(all.initial.threads);
        return all;
    }();
    return read;
}

device_icvs& device() noexcept {
    process();
    return the_device;
}

}  // namespace teff::openmp
