// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls for the start and end of the runtime, and for a setting that its device library asks for.
#include <teff/frontends/openmp/core/environment/icvs.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>

using namespace teff::openmp;
using kmpc::ident;

extern "C" {

// The runtime starts at the first call of anything, and ends with the process.
void __kmpc_begin(ident*, std::int32_t) {}
void __kmpc_end(ident*) {}

// relaxed: see device_icvs.
int __kmpc_get_target_offload() { return static_cast<int>(device().offload.load(std::memory_order_relaxed)); }
}
