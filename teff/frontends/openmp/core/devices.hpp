// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// There is one device, the host, on which the program begins. As the specification has it, its number is that of the
// other devices, 0. Constructs and routines for another device use the host.
#pragma once

namespace teff::openmp {

inline constexpr int other_devices = 0;
inline constexpr int host_device = other_devices;
// The default device if OMP_TARGET_OFFLOAD is `mandatory` and nothing names another one.
inline constexpr int no_device = -4;

// Called before a construct for the device with this number runs on the host. Ends the program with a line if
// OMP_TARGET_OFFLOAD is `mandatory` and the program did not ask for the host.
void use_host_for(int device) noexcept;

}  // namespace teff::openmp
