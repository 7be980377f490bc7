// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces teff/frontends/openmp/core/icvs.cpp in the model build: settings that come from no environment. With one
// processor, threads that wait for a number give way at once.
#include <teff/frontends/openmp/core/icvs.hpp>

namespace teff::openmp {
namespace {

constinit const process_icvs settings;
constinit device_icvs of_device;

}  // namespace

const process_icvs& process() noexcept { return settings; }
device_icvs& device() noexcept { return of_device; }

}  // namespace teff::openmp
