// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls for clauses of OpenMP 6.0 about the number of threads, and for the start and end of the runtime.
#include <teff/base/assert.hpp>
#include <teff/frontends/openmp/core/region.hpp>
#include <teff/frontends/openmp/core/team.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>

using namespace teff::openmp;
using kmpc::ident;

extern "C" {

// The runtime starts at the first call of anything, and ends with the process.
void __kmpc_begin(ident*, std::int32_t) {}
void __kmpc_end(ident*) {}
}
