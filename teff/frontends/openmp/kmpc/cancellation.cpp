// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls for cancellation. A construct is a number: 1 parallel, 2 loop, 3 sections, 4 taskgroup. A call that
// does not return 0 makes the code go to the end of the cancelled construct; on its way out of a parallel region it
// calls __kmpc_cancel_barrier() once more, which does not wait then.
#include <teff/frontends/openmp/core/regions/region.hpp>
#include <teff/frontends/openmp/core/teams/cancellation.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>

namespace teff::openmp::kmpc {
namespace {

cancellable construct_of(std::int32_t number) noexcept {
    return number == 1 ? cancellable::parallel : number == 4 ? cancellable::taskgroup : cancellable::worksharing;
}

}  // namespace
}  // namespace teff::openmp::kmpc

using namespace teff::openmp;
using kmpc::ident;

extern "C" {

std::int32_t __kmpc_cancel(ident*, std::int32_t, std::int32_t construct) {
    return cancel(this_place(), kmpc::construct_of(construct)) ? 1 : 0;
}
std::int32_t __kmpc_cancellationpoint(ident*, std::int32_t, std::int32_t construct) {
    return is_cancelled(this_place(), kmpc::construct_of(construct)) ? 1 : 0;
}
// In a parallel region that may be cancelled: 1 if it is.
std::int32_t __kmpc_cancel_barrier(ident*, std::int32_t) { return wait_at_barrier(this_place()) ? 1 : 0; }

int kmp_get_cancellation_status(int construct) {
    return is_cancelled(this_place(), kmpc::construct_of(construct)) ? 1 : 0;
}
int kmp_get_cancellation_status_(const int* construct) { return kmp_get_cancellation_status(*construct); }
}
