// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls for teams constructs on the host. A push call stores the construct's clauses in the thread's place, and
// the next __kmpc_fork_teams() takes them from there.
#include <teff/frontends/openmp/core/regions/league.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>
#include <teff/frontends/openmp/kmpc/outlined_region.hpp>

namespace teff::openmp::kmpc {
namespace {

constexpr unsigned given(std::int32_t number) noexcept { return number > 0 ? static_cast<unsigned>(number) : 0; }

}  // namespace
}  // namespace teff::openmp::kmpc

using namespace teff::openmp;
using kmpc::given;
using kmpc::ident;

extern "C" {

void __kmpc_push_num_teams(ident*, std::int32_t, std::int32_t teams, std::int32_t thread_limit) {
    this_place().next_teams = {.least = 0, .most = given(teams), .thread_limit = given(thread_limit)};
}
void __kmpc_push_num_teams_51(ident*, std::int32_t, std::int32_t least, std::int32_t most, std::int32_t thread_limit) {
    this_place().next_teams = {.least = given(least), .most = given(most), .thread_limit = given(thread_limit)};
}

void __kmpc_fork_teams(ident*, std::int32_t count, kmpc::outlined_function function, ...) {
    TEFF_COPY_ARGUMENTS(arguments, count, function);
    kmpc::outlined_region region{function, count, arguments};
    place& opener = this_place();
    const teams_clauses clauses = opener.next_teams;
    opener.next_teams = {};
    run_teams(opener, clauses, &kmpc::outlined_region::run, &region);
}
}
