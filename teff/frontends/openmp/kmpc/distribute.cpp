// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls for loops that are divided among the teams of a league, and then among the threads of a team. (Its code
// divides in two steps instead, by calls for plain loops.) Bounds are inclusive.
#include <teff/frontends/openmp/core/regions/league.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>
#include <teff/frontends/openmp/kmpc/schedules.hpp>

namespace teff::openmp::kmpc {
namespace {

// The thread's part of the team's part. last_of_team: gets the end of the team's part.
template <class Value>
void init_both(std::int32_t schedule, std::int32_t* is_last, Value* first, Value* last, Value* last_of_team,
               std::make_signed_t<Value>* stride, std::make_signed_t<Value> step,
               std::make_signed_t<Value> chunk) noexcept {
    const place& caller = this_place();
    const static_bounds<Value> of_team = static_part(*first, *last, step, 0, part_of_league(caller));
    const static_bounds<Value> mine = static_part(of_team.first, of_team.last, step, static_chunk(schedule, chunk),
                                                  {caller.number, caller.size});
    *first = mine.first;
    *last = mine.last;
    *last_of_team = of_team.last;
    *stride = mine.stride;
    if (is_last != nullptr)
        *is_last = of_team.is_last && mine.is_last ? 1 : 0;
}

// The team's chunks.
template <class Value>
void init_team(std::int32_t* is_last, Value* first, Value* last, std::make_signed_t<Value>* stride,
               std::make_signed_t<Value> step, std::make_signed_t<Value> chunk) noexcept {
    const static_bounds<Value> mine =
        static_part(*first, *last, step, chunk < 1 ? 1 : iterations::widen(chunk), part_of_league(this_place()));
    *first = mine.first;
    *last = mine.last;
    *stride = mine.stride;
    if (is_last != nullptr)
        *is_last = mine.is_last ? 1 : 0;
}

// The team's part, of which chunks are then handed out.
template <class Value>
void init_chunks(std::int32_t schedule, std::int32_t* is_last, Value first, Value last,
                 std::make_signed_t<Value> step, std::make_signed_t<Value> chunk) noexcept {
    place& caller = this_place();
    const static_bounds<Value> of_team = static_part(first, last, step, 0, part_of_league(caller));
    if (is_last != nullptr)
        *is_last = of_team.is_last ? 1 : 0;
    const schedule_number number = plain_schedule(schedule);
    const iteration_space space = inclusive_space(of_team.first, of_team.last, step);
    begin_loop(caller, space, schedule_of(caller, number, chunk, space.count), number.is_ordered);
}

}  // namespace
}  // namespace teff::openmp::kmpc

using namespace teff::openmp;
using kmpc::ident;
using std::int32_t;

#define TEFF_DISTRIBUTED_LOOP(suffix, type, step_type)                                                                 \
    void __kmpc_dist_for_static_init_##suffix(ident*, int32_t, int32_t schedule, int32_t* is_last, type* first,        \
                                              type* last, type* last_of_team, step_type* stride, step_type step,       \
                                              step_type chunk) {                                                       \
        kmpc::init_both(schedule, is_last, first, last, last_of_team, stride, step, chunk);                            \
    }                                                                                                                  \
    void __kmpc_team_static_init_##suffix(ident*, int32_t, int32_t* is_last, type* first, type* last,                  \
                                          step_type* stride, step_type step, step_type chunk) {                        \
        kmpc::init_team(is_last, first, last, stride, step, chunk);                                                    \
    }                                                                                                                  \
    void __kmpc_dist_dispatch_init_##suffix(ident*, int32_t, int32_t schedule, int32_t* is_last, type first,           \
                                            type last, step_type step, step_type chunk) {                              \
        kmpc::init_chunks(schedule, is_last, first, last, step, chunk);                                                \
    }

extern "C" {

TEFF_DISTRIBUTED_LOOP(4, std::int32_t, std::int32_t)
TEFF_DISTRIBUTED_LOOP(4u, std::uint32_t, std::int32_t)
TEFF_DISTRIBUTED_LOOP(8, std::int64_t, std::int64_t)
TEFF_DISTRIBUTED_LOOP(8u, std::uint64_t, std::int64_t)
}
