// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end of a program that must not use the host in place of a device.
#include <teff/frontends/openmp/core/devices.hpp>

#include <teff/frontends/openmp/core/icvs.hpp>
#include <teff/frontends/openmp/core/warning.hpp>

namespace teff::openmp {

void use_host_for(int number) noexcept {
    // relaxed: see device_icvs.
    if (number != host_device && device().offload.load(std::memory_order_relaxed) == target_offload::mandatory)
        end_with_error(error_device,
                       "a target construct cannot run: there is no device besides the host, and OMP_TARGET_OFFLOAD is "
                       "mandatory; set it to default to use the host");
}

}  // namespace teff::openmp
