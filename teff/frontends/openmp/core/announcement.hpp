// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With TEFF_OPENMP_VERBOSE=on the runtime says on stderr that it is active: which file it is, and with what settings.
// `teff run --verbose` sets this. A process in which nothing is said has not used OpenMP, or not through this runtime.
//
// It is said at the first use and not when the library is loaded, where nothing of ours may run. Each other OpenMP
// runtime that is loaded by then gets a line, too. The loader finds its functions behind ours, so that it does nothing,
// but for a library that asks that very file for a function (dlsym).
#pragma once

namespace teff::openmp {

// To be called once, when the runtime has read its settings; `threads` is the number for the next region.
void announce(unsigned threads) noexcept;

}  // namespace teff::openmp
