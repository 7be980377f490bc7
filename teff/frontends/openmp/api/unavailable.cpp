// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lines that name an unavailable function.
#include <teff/frontends/openmp/api/unavailable.hpp>

#include <teff/base/assert.hpp>

#include <unistd.h>

namespace teff::openmp {

void end_at_missing(const char* name) noexcept {
    warn("%s is not yet in Teff's OpenMP runtime: use the compiler's own runtime for this program", name);
    ::_exit(1);
}

void end_at_internal(const char* name) noexcept {
    warn("%s is not part of Teff's OpenMP runtime: use the compiler's own runtime for this program", name);
    ::_exit(1);
}

}  // namespace teff::openmp
