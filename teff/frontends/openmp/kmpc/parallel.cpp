// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls for parallel regions and threads.
#include <teff/frontends/openmp/core/region.hpp>
#include <teff/frontends/openmp/core/team.hpp>
#include <teff/frontends/openmp/kmpc/call_outlined.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>

#include <cstdarg>

namespace teff::openmp::kmpc {
namespace {

struct outlined_region {
    outlined_function function;
    std::int64_t count;
    void* const* arguments;

    static void run(place& here, void* self) {
        const auto& region = *static_cast<const outlined_region*>(self);
        std::int32_t global_number = here.global_number;
        auto number = static_cast<std::int32_t>(here.number);
        call_outlined(region.function, &global_number, &number, region.count, region.arguments);
    }
};

// The clauses that were pushed for the next region; it uses them up.
region_clauses take_clauses(place& opener) noexcept {
    const region_clauses taken{
        .threads = opener.next_threads, .has_bind = opener.has_next_bind, .bind = opener.next_bind};
    opener.next_threads = 0;
    opener.has_next_bind = false;
    return taken;
}

}  // namespace
}  // namespace teff::openmp::kmpc

using namespace teff::openmp;
using kmpc::ident;

extern "C" {

void __kmpc_fork_call(ident*, std::int32_t count, kmpc::outlined_function function, ...) {
    // The arguments lie behind each other only in a copy.
    const std::size_t size = (static_cast<std::size_t>(count) + 1) * sizeof(void*);
    void** const arguments = static_cast<void**>(__builtin_alloca(size));
    std::va_list list;
    va_start(list, function);
    for (std::int32_t each = 0; each < count; ++each)
        arguments[each] = va_arg(list, void*);
    va_end(list);
    kmpc::outlined_region region{function, count, arguments};
    place& opener = this_place();
    run_region(opener, kmpc::take_clauses(opener), &kmpc::outlined_region::run, &region);
}

void __kmpc_fork_call_if(ident*, std::int32_t count, kmpc::outlined_function function, std::int32_t condition,
                         void* argument) {
    void* const arguments[] = {argument};
    kmpc::outlined_region region{function, count, arguments};
    place& opener = this_place();
    region_clauses clauses = kmpc::take_clauses(opener);
    clauses.is_serial = condition == 0;
    run_region(opener, clauses, &kmpc::outlined_region::run, &region);
}

void __kmpc_serialized_parallel(ident*, std::int32_t) {
    place& opener = this_place();
    enter_serial_region(opener, kmpc::take_clauses(opener));
}
void __kmpc_end_serialized_parallel(ident*, std::int32_t) { leave_serial_region(this_place()); }

void __kmpc_push_num_threads(ident*, std::int32_t, std::int32_t threads) {
    this_place().next_threads = threads > 0 ? static_cast<unsigned>(threads) : 0;
}
void __kmpc_pop_num_threads(ident*, std::int32_t) {}
void __kmpc_push_proc_bind(ident*, std::int32_t, int bind) {
    // The compiler has another number for `primary` than for its old name, `master`.
    constexpr int written_primary = 5;
    place& here = this_place();
    here.next_bind = bind == written_primary ? binding::primary : static_cast<binding>(bind);
    here.has_next_bind = true;
}

std::int32_t __kmpc_global_thread_num(ident*) { return this_place().global_number; }
std::int32_t __kmpc_bound_thread_num(ident*) { return static_cast<std::int32_t>(this_place().number); }
std::int32_t __kmpc_bound_num_threads(ident*) { return static_cast<std::int32_t>(this_place().size); }
std::int32_t __kmpc_global_num_threads(ident*) { return static_cast<std::int32_t>(this_place().size); }
std::int32_t __kmpc_in_parallel(ident*) { return this_place().in->active_level != 0 ? 1 : 0; }
std::int32_t __kmpc_ok_to_fork(ident*) { return 1; }
}
