// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls for parallel regions, teams constructs on the host, and thread numbers.
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/regions/region.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>
#include <teff/frontends/openmp/kmpc/outlined_region.hpp>

namespace teff::openmp::kmpc {
namespace {

// Takes the clauses that were pushed for the next region.
region_clauses take_clauses(place& opener) noexcept {
    const region_clauses taken = opener.next_region;
    opener.next_region = {};
    return taken;
}

void push_threads(std::int32_t threads) noexcept {
    this_place().next_region.threads = threads > 0 ? static_cast<unsigned>(threads) : 0;
}
void push_strictness(int severity, const char* message) noexcept {
    region_clauses& next = this_place().next_region;
    next.strict =
        severity == 1 ? region_clauses::strictness::warns : region_clauses::strictness::ends_the_program;
    next.message = message;
}
void push_list(std::uint32_t count, const std::int32_t* list) noexcept {
    if (count == 0)
        return;
    push_threads(list[0]);
    region_clauses& next = this_place().next_region;
    // The numbers are positive, so both types represent them alike.
    next.threads_below = reinterpret_cast<const unsigned*>(list + 1);
    next.threads_below_count = static_cast<unsigned short>(count - 1);
}

}  // namespace
}  // namespace teff::openmp::kmpc

using namespace teff::openmp;
using kmpc::ident;

extern "C" {

void __kmpc_fork_call(ident*, std::int32_t count, kmpc::outlined_function function, ...) {
    TEFF_COPY_ARGUMENTS(arguments, count, function);
    const events::runtime_call called(TEFF_CALL_SITE);
    kmpc::outlined_region region{function, count, arguments};
    place& opener = this_place();
    run_region(opener, kmpc::take_clauses(opener), &kmpc::outlined_region::run, &region);
}

void __kmpc_fork_call_if(ident*, std::int32_t count, kmpc::outlined_function function, std::int32_t condition,
                         void* argument) {
    const events::runtime_call called(TEFF_CALL_SITE);
    void* const arguments[] = {argument};
    kmpc::outlined_region region{function, count, arguments};
    place& opener = this_place();
    region_clauses clauses = kmpc::take_clauses(opener);
    clauses.is_serial = condition == 0;
    run_region(opener, clauses, &kmpc::outlined_region::run, &region);
}

void __kmpc_serialized_parallel(ident*, std::int32_t) {
    events::runtime_call called(TEFF_CALL_SITE);
    place& opener = this_place();
    place& mine = enter_serial_region(opener, kmpc::take_clauses(opener));
    called.stays_open(mine.implicit);
}
void __kmpc_end_serialized_parallel(ident*, std::int32_t) {
    place& caller = this_place();
    place& opener = *caller.in->opener;
    {
        const events::runtime_call called(TEFF_CALL_SITE);
        leave_serial_region(caller);
    }
    events::close_call(*opener.current);
}

void __kmpc_push_num_threads(ident*, std::int32_t, std::int32_t threads) {
    kmpc::push_threads(threads);
}
// OpenMP 6.0. severity, if the region gets another number of threads: 1 warns, 2 ends the program.
void __kmpc_push_num_threads_strict(ident*, std::int32_t, std::int32_t threads, int severity, const char* message) {
    kmpc::push_threads(threads);
    kmpc::push_strictness(severity, message);
}
// The first number is for this region, the others are for the regions nested in it.
void __kmpc_push_num_threads_list(ident*, std::int32_t, std::uint32_t count, std::int32_t* list) {
    kmpc::push_list(count, list);
}
void __kmpc_push_num_threads_list_strict(ident*, std::int32_t, std::uint32_t count, std::int32_t* list, int severity,
                                         const char* message) {
    kmpc::push_list(count, list);
    kmpc::push_strictness(severity, message);
}
void __kmpc_pop_num_threads(ident*, std::int32_t) {}
void __kmpc_push_proc_bind(ident*, std::int32_t, int bind) {
    // The compiler uses another number for `primary` than for `master`, its old name.
    constexpr int written_primary = 5;
    region_clauses& next = this_place().next_region;
    next.bind = bind == written_primary ? binding::primary : static_cast<binding>(bind);
    next.has_bind = true;
}

std::int32_t __kmpc_global_thread_num(ident*) { return this_place().global_number; }
std::int32_t __kmpc_bound_thread_num(ident*) { return static_cast<std::int32_t>(this_place().number); }
std::int32_t __kmpc_bound_num_threads(ident*) { return static_cast<std::int32_t>(this_place().size); }
std::int32_t __kmpc_global_num_threads(ident*) { return static_cast<std::int32_t>(this_place().size); }
std::int32_t __kmpc_in_parallel(ident*) { return this_place().in->active_level != 0 ? 1 : 0; }
std::int32_t __kmpc_ok_to_fork(ident*) { return 1; }

// The runtime starts at the first call of any function, and ends with the process.
void __kmpc_begin(ident*, std::int32_t) {}
void __kmpc_end(ident*) {}
}

// Teams constructs. A push call stores the construct's clauses in the thread's place; the next __kmpc_fork_teams()
// takes them from there.
namespace teff::openmp::kmpc {
namespace {

constexpr unsigned given(std::int32_t number) noexcept { return number > 0 ? static_cast<unsigned>(number) : 0; }

}  // namespace
}  // namespace teff::openmp::kmpc

using kmpc::given;

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
    const events::runtime_call called(TEFF_CALL_SITE);
    const teams_clauses clauses = opener.next_teams;
    opener.next_teams = {};
    run_teams(opener, clauses, &kmpc::outlined_region::run, &region);
}
}
