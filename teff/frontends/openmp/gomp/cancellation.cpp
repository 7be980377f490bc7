// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's calls for cancellation. A construct is a bit: 1 parallel, 2 loop, 4 sections, 8 taskgroup. A call that returns
// true makes the code go to the end of the cancelled construct.
#include <teff/frontends/openmp/core/regions/region.hpp>
#include <teff/frontends/openmp/core/teams/cancellation.hpp>
#include <teff/frontends/openmp/gomp/loop_bounds.hpp>

namespace teff::openmp::gomp {
namespace {

cancellable construct_of(int bit) noexcept {
    return bit == 1 ? cancellable::parallel : bit == 8 ? cancellable::taskgroup : cancellable::worksharing;
}

}  // namespace
}  // namespace teff::openmp::gomp

using namespace teff::openmp;

extern "C" {

// is_wanted: the if clause. Without it the construct still is a cancellation point.
bool GOMP_cancel(int construct, bool is_wanted) {
    place& caller = this_place();
    const cancellable what = gomp::construct_of(construct);
    return is_wanted ? cancel(caller, what) : is_cancelled(caller, what);
}
bool GOMP_cancellation_point(int construct) { return is_cancelled(this_place(), gomp::construct_of(construct)); }

// In a parallel region that may be cancelled: true if it is.
bool GOMP_barrier_cancel() { return wait_at_barrier(this_place()); }
bool GOMP_loop_end_cancel() { return gomp::end_with_barrier(this_place()); }
bool GOMP_sections_end_cancel() { return gomp::end_with_barrier(this_place()); }
}
