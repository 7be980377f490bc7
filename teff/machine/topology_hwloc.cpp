// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The optional source hwloc, for machines whose sysfs is missing or not readable.
//
// Only in builds with TEFF_WITH_HWLOC. It cannot be part of the preloaded object, which depends on libc alone. Since
// it allocates, sysfs is tried first.
#include <teff/machine/machine_topology.hpp>

#include <hwloc.h>

namespace teff {
namespace {

// The index of the object of `type` above `unit`, or `missing` if hwloc knows none.
int index_above(hwloc_topology_t machine, hwloc_obj_t unit, hwloc_obj_type_t type, int missing) noexcept {
    const hwloc_obj_t above = hwloc_get_ancestor_obj_by_type(machine, type, unit);
    return above == nullptr ? missing : static_cast<int>(above->logical_index);
}

void add_usable_units(topology& result, hwloc_topology_t machine, const cpu_mask& usable) noexcept {
    hwloc_obj_t unit = nullptr;
    while ((unit = hwloc_get_next_obj_by_type(machine, HWLOC_OBJ_PU, unit)) != nullptr) {
        const int cpu = static_cast<int>(unit->os_index);
        if (usable.contains(cpu))
            result.add(cpu, index_above(machine, unit, HWLOC_OBJ_PACKAGE, 0),
                       index_above(machine, unit, HWLOC_OBJ_CORE, cpu), hwloc_bitmap_first(unit->nodeset));
    }
}

}  // namespace

bool read_hwloc(topology& result, const cpu_mask& usable) noexcept {
    result.begin(topology_source::hwloc);
    hwloc_topology_t machine;
    if (hwloc_topology_init(&machine) == 0) {
        if (hwloc_topology_load(machine) == 0)
            add_usable_units(result, machine, usable);
        hwloc_topology_destroy(machine);
    }
    return result.finish();
}

}  // namespace teff
