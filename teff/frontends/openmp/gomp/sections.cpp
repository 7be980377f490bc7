// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's calls for sections. They are numbered from 1; 0 means that none is left.
#include <teff/frontends/openmp/core/regions/region.hpp>
#include <teff/frontends/openmp/core/worksharing/loop.hpp>
#include <teff/frontends/openmp/gomp/loop_bounds.hpp>

namespace teff::openmp::gomp {
namespace {

unsigned next_section(place& caller) noexcept {
    const iteration_range found = next_chunk(caller);
    return found.is_empty() ? 0 : static_cast<unsigned>(found.begin) + 1;
}

}  // namespace
}  // namespace teff::openmp::gomp

using namespace teff::openmp;

extern "C" {

unsigned GOMP_sections_start(unsigned count) {
    place& caller = this_place();
    begin_sections(caller, count);
    return gomp::next_section(caller);
}
// See share() for the last two arguments.
unsigned GOMP_sections2_start(unsigned count, std::uintptr_t* reductions, void** memory) {
    place& caller = this_place();
    begin_sections(caller, count);
    gomp::share(caller, reductions, memory);
    return gomp::next_section(caller);
}
unsigned GOMP_sections_next() { return gomp::next_section(this_place()); }
void GOMP_sections_end_nowait() { leave_loop(this_place()); }
void GOMP_sections_end() { gomp::end_with_barrier(this_place()); }
}
