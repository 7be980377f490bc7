// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's calls for doacross loops (OpenMP 5.1, section 2.19.9). All loops count from 0 in steps of 1; the iterations of
// the first loop are divided. The calls for further chunks and for the end are those of other loops.
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/worksharing/doacross.hpp>
#include <teff/frontends/openmp/gomp/loop_bounds.hpp>

#include <cstdarg>

namespace teff::openmp::gomp {
namespace {

template <class Value>
void begin_doacross(place& caller, unsigned loops, const Value* counts, const loop_schedule& schedule) noexcept {
    auto* const spaces = static_cast<iteration_space*>(__builtin_alloca(loops * sizeof(iteration_space)));
    for (unsigned each = 0; each < loops; ++each)
        spaces[each] = {0, 1, static_cast<std::uint64_t>(counts[each])};
    begin_doacross(caller, {spaces, loops});
    begin_loop(caller, spaces[0], schedule, false);
    caller.work.end_value = spaces[0].count;
}

template <class Value>
bool start(unsigned loops, const Value* counts, schedule_kind kind, Value chunk, Value* chunk_first,
           Value* chunk_end) noexcept {
    place& caller = this_place();
    begin_doacross(caller, loops, counts, {kind, chunk_size(chunk)});
    return next(caller, chunk_first, chunk_end);
}
template <class Value>
bool start_at_run_time(unsigned loops, const Value* counts, Value* chunk_first, Value* chunk_end) noexcept {
    place& caller = this_place();
    begin_doacross(caller, loops, counts, schedule_at_run_time(caller, true));
    return next(caller, chunk_first, chunk_end);
}
template <class Value>
bool start_sharing(unsigned loops, const Value* counts, long schedule, Value chunk, Value* chunk_first,
                   Value* chunk_end, std::uintptr_t* reductions, void** memory) noexcept {
    place& caller = this_place();
    begin_doacross(caller, loops, counts, schedule_of(caller, schedule, chunk_size(chunk)));
    share(caller, reductions, memory);
    return next_if_any(caller, chunk_first, chunk_end);
}

// Reports the values of the loop variables to a tool.
template <class ValueOf>
void report(place& caller, const doacross& loop, const ValueOf& value_of, events::dependence_kind kind) noexcept {
    if constexpr (events::are_reported) {
        const unsigned count = loop.loop_count();
        auto* const items = static_cast<events::dependence*>(__builtin_alloca(count * sizeof(events::dependence)));
        for (unsigned each = 0; each < count; ++each)
            items[each] = {value_of(each), kind};
        events::dependences(*caller.current, items, static_cast<int>(count));
    }
}

template <class Value>
void post(const Value* iterations) noexcept {
    place& caller = this_place();
    // A team of one thread has no doacross object, since it runs the iterations in order.
    doacross* const loop = caller.work.crossing;
    if (loop == nullptr)
        return;
    const auto value_of = [&](unsigned each) { return static_cast<std::uint64_t>(iterations[each]); };
    report(caller, *loop, value_of, events::dependence_kind::source);
    loop->post(loop->number(value_of));
}
// first: the iteration in the first loop. others: the iterations in the other loops.
template <class Value>
void await(Value first, std::va_list others) noexcept {
    place& caller = this_place();
    doacross* const loop = caller.work.crossing;
    if (loop == nullptr)
        return;
    if constexpr (events::are_reported) {
        // The numbers in the list can be read only once.
        auto* const values =
            static_cast<std::uint64_t*>(__builtin_alloca(loop->loop_count() * sizeof(std::uint64_t)));
        for (unsigned each = 0; each < loop->loop_count(); ++each)
            values[each] = static_cast<std::uint64_t>(each == 0 ? first : va_arg(others, Value));
        const auto value_of = [values](unsigned each) { return values[each]; };
        const std::uint64_t number = loop->number(value_of);
        if (number != doacross::no_iteration)
            report(caller, *loop, value_of, events::dependence_kind::sink);
        loop->await(number, caller.size, caller.in->is_cancelled);
    } else {
        const auto value_of = [&](unsigned each) {
            return static_cast<std::uint64_t>(each == 0 ? first : va_arg(others, Value));
        };
        loop->await(loop->number(value_of), caller.size, caller.in->is_cancelled);
    }
}

}  // namespace
}  // namespace teff::openmp::gomp

using namespace teff::openmp;
using gomp::ull;

// The functions of one type.
#define TEFF_DOACROSS(name, type, kind)                                                                                \
    bool GOMP_loop_##name##_start(unsigned loops, type* counts, type chunk, type* chunk_first, type* chunk_end) {      \
        const events::runtime_call called(TEFF_CALL_SITE);                                                             \
        return gomp::start(loops, counts, kind, chunk, chunk_first, chunk_end);                                        \
    }
#define TEFF_DOACROSS_LOOPS(prefix, type)                                                                              \
    TEFF_DOACROSS(prefix##doacross_static, type, schedule_kind::static_)                                               \
    TEFF_DOACROSS(prefix##doacross_dynamic, type, schedule_kind::dynamic)                                              \
    TEFF_DOACROSS(prefix##doacross_guided, type, schedule_kind::guided)                                                \
    bool GOMP_loop_##prefix##doacross_runtime_start(unsigned loops, type* counts, type* chunk_first,                   \
                                                    type* chunk_end) {                                                 \
        const events::runtime_call called(TEFF_CALL_SITE);                                                             \
        return gomp::start_at_run_time(loops, counts, chunk_first, chunk_end);                                         \
    }                                                                                                                  \
    bool GOMP_loop_##prefix##doacross_start(unsigned loops, type* counts, long schedule, type chunk,                   \
                                            type* chunk_first, type* chunk_end, std::uintptr_t* reductions,            \
                                            void** memory) {                                                           \
        const events::runtime_call called(TEFF_CALL_SITE);                                                             \
        return gomp::start_sharing(loops, counts, schedule, chunk, chunk_first, chunk_end, reductions, memory);        \
    }

extern "C" {

TEFF_DOACROSS_LOOPS(, long)
TEFF_DOACROSS_LOOPS(ull_, ull)

void GOMP_doacross_post(long* iterations) { gomp::post(iterations); }
void GOMP_doacross_ull_post(ull* iterations) { gomp::post(iterations); }

void GOMP_doacross_wait(long first, ...) {
    std::va_list others;
    va_start(others, first);
    gomp::await(first, others);
    va_end(others);
}
void GOMP_doacross_ull_wait(ull first, ...) {
    std::va_list others;
    va_start(others, first);
    gomp::await(first, others);
    va_end(others);
}
}
