// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces teff/frontends/openmp/core/process/process.cpp in the simulator: the settings are those of a process without
// OMP_* variables that may use all processors of the simulated machine.
#include <teff/frontends/openmp/core/environment/icvs.hpp>

#include <teff/frontends/openmp/core/affinity/cpu_places.hpp>
#include <teff/frontends/openmp/core/environment/read.hpp>
#include <teff/machine/machine_topology.hpp>

namespace teff::openmp {
namespace {

constinit device_icvs of_device;

struct chosen_settings {
    chosen_settings() noexcept {
        values.processors = static_cast<unsigned>(machine_topology().cpu_count());
        values.initial.threads = values.processors;
        environment::reading read;
        resolve(read, values.processors);
        values.throttles_tasks = read.values.throttles_tasks;
        of_device.spin_us.store(read.values.block_time_us, std::memory_order_relaxed);
        choose_places(read, {});
    }
    process_icvs values;
};

}  // namespace

const process_icvs& process() noexcept {
    static const chosen_settings chosen;
    return chosen.values;
}
device_icvs& device() noexcept {
    process();
    return of_device;
}

}  // namespace teff::openmp
