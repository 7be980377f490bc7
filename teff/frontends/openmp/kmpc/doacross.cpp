// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls for doacross loops (OpenMP 5.1, section 2.19.9). They surround the calls for the outermost loop, which
// is divided like any other loop.
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/worksharing/doacross.hpp>
#include <teff/frontends/openmp/core/worksharing/loop.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>

namespace teff::openmp::kmpc {
namespace {

struct dimension {
    std::int64_t first;
    std::int64_t last;
    std::int64_t step;
};

// Clang lets all loops count from 0 in steps of 1, and passes the number of iterations as the last value. An iteration
// of this number does not exist: a thread that waits for it, as in `sink: i - 1, j + 1`, would wait for ever.
iteration_space space_of(const dimension& loop) noexcept {
    if (loop.first == 0 && loop.step == 1)
        return {0, 1, loop.last > 0 ? static_cast<std::uint64_t>(loop.last) : 0};
    return inclusive_space(loop.first, loop.last, loop.step);
}

std::uint64_t number_in(const doacross& loop, const std::int64_t* values) noexcept {
    return loop.number([values](unsigned each) { return static_cast<std::uint64_t>(values[each]); });
}
// What a tool is told.
void report(const doacross& loop, const std::int64_t* values, events::dependence_kind kind) noexcept {
    if constexpr (events::are_reported) {
        // A wait for an iteration that does not exist is none.
        if (kind == events::dependence_kind::sink && number_in(loop, values) == doacross::no_iteration)
            return;
        const unsigned count = loop.loop_count();
        auto* const items = static_cast<events::dependence*>(__builtin_alloca(count * sizeof(events::dependence)));
        for (unsigned each = 0; each < count; ++each)
            items[each] = {static_cast<std::uint64_t>(values[each]), kind};
        events::dependences(*this_place().current, items, static_cast<int>(count));
    }
}

}  // namespace
}  // namespace teff::openmp::kmpc

using namespace teff::openmp;
using kmpc::ident;

extern "C" {

void __kmpc_doacross_init(ident*, std::int32_t, std::int32_t count, const kmpc::dimension* loops) {
    const auto size = static_cast<std::size_t>(count);
    auto* const spaces = static_cast<iteration_space*>(__builtin_alloca(size * sizeof(iteration_space)));
    for (std::size_t each = 0; each < size; ++each)
        spaces[each] = kmpc::space_of(loops[each]);
    begin_doacross(this_place(), {spaces, size});
}
void __kmpc_doacross_fini(ident*, std::int32_t) { leave_loop(this_place()); }

// A team of one thread has no doacross object, since it runs the iterations in order.
void __kmpc_doacross_post(ident*, std::int32_t, const std::int64_t* values) {
    place& caller = this_place();
    doacross* const loop = caller.work.crossing;
    if (loop == nullptr)
        return;
    kmpc::report(*loop, values, events::dependence_kind::source);
    loop->post(kmpc::number_in(*loop, values));
}
void __kmpc_doacross_wait(ident*, std::int32_t, const std::int64_t* values) {
    place& caller = this_place();
    doacross* const loop = caller.work.crossing;
    if (loop == nullptr)
        return;
    kmpc::report(*loop, values, events::dependence_kind::sink);
    loop->await(kmpc::number_in(*loop, values), caller.size, caller.in->is_cancelled);
}
}
