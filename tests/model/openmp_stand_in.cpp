// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces two rooms of teff/frontends/openmp/core in the model build. process/: the settings come from no environment,
// and with one processor threads that wait for a number give way at once. regions/: the scenarios set up the places of
// their threads.
#include "openmp_kit.hpp"

#include <teff/frontends/openmp/core/environment/icvs.hpp>
#include <teff/frontends/openmp/core/teams/place.hpp>

#include <model/operations.hpp>

namespace teff::openmp {
namespace {

constinit process_icvs settings;
constinit device_icvs of_device;

}  // namespace

const process_icvs& process() noexcept { return settings; }
device_icvs& device() noexcept { return of_device; }

place& make_initial_place() noexcept { model::fail("a thread of the scenario has no place"); }

}  // namespace teff::openmp

namespace scenarios {

void allow_cancellation() noexcept { teff::openmp::settings.may_cancel = true; }

}  // namespace scenarios
