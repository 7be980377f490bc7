// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's calls for critical sections, whose names have one static pointer each, and around atomic operations that it
// cannot compile to instructions.
#include <teff/frontends/openmp/core/synchronization/lock.hpp>

using namespace teff::openmp;

extern "C" {

void GOMP_critical_start() { unnamed_critical().acquire(); }
void GOMP_critical_end() { unnamed_critical().release(); }
void GOMP_critical_name_start(void** memory) { critical_in(memory).acquire(); }
void GOMP_critical_name_end(void** memory) { critical_in(memory).release(); }

void GOMP_atomic_start() { atomic_lock().acquire(); }
void GOMP_atomic_end() { atomic_lock().release(); }
}
