// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls for critical sections, which have 32 bytes of static memory per name. Also the exclusion around atomic
// operations for which a compiler has no function.
#include <teff/frontends/openmp/core/synchronization/lock.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>

using namespace teff::openmp;
using kmpc::ident;

extern "C" {

void __kmpc_critical(ident*, std::int32_t, void* memory) { critical_in(memory).acquire(); }
void __kmpc_critical_with_hint(ident*, std::int32_t, void* memory, std::uint32_t) { critical_in(memory).acquire(); }
void __kmpc_end_critical(ident*, std::int32_t, void* memory) { critical_in(memory).release(); }

void __kmpc_atomic_start() { atomic_lock().acquire(); }
void __kmpc_atomic_end() { atomic_lock().release(); }
}
