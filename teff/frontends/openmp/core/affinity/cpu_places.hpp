// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of processor places (OpenMP 5.1, sections 1.2.7 and 6.5): sets of the processors that the process may use,
// as OMP_PLACES or one of the older variables describes them. Without such a variable there are places only if
// OMP_PROC_BIND asks for binding: one for each core.
//
// Places of a kind are in the order of the machine: neighbours share a core, a cache, a socket. Listed places keep
// their order; processors that the process may not use are left out of them, and so are places without any.
//
// make_places() is a function of its arguments. The list of the process is made once, when its settings are read, and
// is constant from then on; any thread may read it.
#pragma once

#include <teff/frontends/openmp/core/environment/places_text.hpp>
#include <teff/frontends/openmp/core/environment/read.hpp>
#include <teff/machine/cpu_mask.hpp>
#include <teff/machine/topology.hpp>

namespace teff::openmp {

using environment::place_lists;

// machine: has the processors that the process may use. cache_of: returns the number of a processor's last-level cache,
// or -1 if it is unknown. Throws std::bad_alloc.
place_lists make_places(const environment::reading& settings, const topology& machine,
                        const cpu_mask& usable, int (*cache_of)(int cpu) noexcept);

// Makes the lists of the process, and warns if listed places are left out.
void choose_places(const environment::reading& settings, const cpu_mask& usable) noexcept;
// Empty if threads are not bound.
const place_lists& cpu_places() noexcept;
// Where helper threads are bound (regions/helper_threads.hpp), if KMP_HIDDEN_HELPER_AFFINITY says so.
struct helper_places {
    place_lists all;  // empty: the variable does not say it
    binding policy = binding::close;
    bool has_large_places = false;  // a place may have several processors
    bool is_verbose = false;
};
const helper_places& places_of_helpers() noexcept;
// The processors that the process was allowed to use when the list was made.
const cpu_mask& usable_processors() noexcept;

}  // namespace teff::openmp
