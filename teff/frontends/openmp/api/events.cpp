// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The routine of the detach clause.
#include <teff/frontends/openmp/core/tasks/completion_event.hpp>

#include <cstdint>

using namespace teff::openmp;

extern "C" {

void omp_fulfill_event(std::uintptr_t event) { fulfil(*reinterpret_cast<completion_event*>(event)); }
// Fortran, too, passes the handle by value.
[[gnu::alias("omp_fulfill_event")]] void omp_fulfill_event_(std::uintptr_t event);
}
