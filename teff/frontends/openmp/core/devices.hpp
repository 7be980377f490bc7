// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// There is one device, the host, on which the program begins. As the specification has it, its number is that of the
// other devices, 0.
#pragma once

namespace teff::openmp {

inline constexpr int other_devices = 0;
inline constexpr int host_device = other_devices;

}  // namespace teff::openmp
