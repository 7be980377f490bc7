// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// There is one device, the host, on which the program begins. As the specification has it, its number is that of the
// other devices, 0. Constructs and routines for another device use the host.
#pragma once

#include <teff/frontends/openmp/core/environment/icvs.hpp>
#include <teff/frontends/openmp/core/environment/warning.hpp>

namespace teff::openmp {

inline constexpr int other_devices = 0;
inline constexpr int host_device = other_devices;
// The default device if OMP_TARGET_OFFLOAD is `mandatory` and nothing names another one.
inline constexpr int no_device = -4;

// Called before a construct for the device with this number runs on the host. Ends the program with a line if
// OMP_TARGET_OFFLOAD is `mandatory` and the program did not ask for the host.
inline void use_host_for(int number) noexcept {
    // relaxed: see device_icvs.
    if (number != host_device && device().offload.load(std::memory_order_relaxed) == target_offload::mandatory)
        end_with_error(error_device,
                       "a target construct cannot run: there is no device besides the host, and OMP_TARGET_OFFLOAD is "
                       "mandatory; set it to default to use the host");
}

}  // namespace teff::openmp
