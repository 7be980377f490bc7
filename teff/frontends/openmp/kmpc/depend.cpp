// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls for dependences. The compiler writes the items of all depend clauses into an array, including those
// from depend objects and iterators.
#include <teff/frontends/openmp/core/tasks/dependences.hpp>
#include <teff/frontends/openmp/core/tasks/task_memory.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>
#include <teff/frontends/openmp/kmpc/task_block.hpp>

#include <algorithm>

namespace teff::openmp::kmpc {
namespace {

using depend::access_kind;

struct depend_item {
    std::intptr_t address;
    std::size_t length;
    std::uint8_t flags;
};
constexpr std::uint8_t item_out = 2, item_exclusive = 4, item_set = 8, item_all_memory = 0x80;
constexpr std::intptr_t address_all_memory = -1;

access_kind kind_of(std::uint8_t flags) noexcept {
    if ((flags & item_out) != 0)
        return access_kind::inout;
    if ((flags & item_exclusive) != 0)
        return access_kind::commutative;
    return (flags & item_set) != 0 ? access_kind::concurrent : access_kind::in;
}

void add_items(dependence_list& to, std::int32_t count, const depend_item* items) noexcept {
    for (std::int32_t each = 0; each < count; ++each) {
        if ((items[each].flags & item_all_memory) != 0 || items[each].address == address_all_memory)
            to.has_all_memory = true;
        else
            to.items[to.count++] = {reinterpret_cast<void*>(items[each].address), kind_of(items[each].flags)};
    }
}

// The compiler passes two arrays of items. read() merges them into one list, in memory of the caller.
struct two_arrays {
    std::int32_t count;
    const depend_item* items;
    std::int32_t more_count;
    const depend_item* more;

    std::size_t size() const noexcept {
        return static_cast<std::size_t>(std::max(count, 0)) + static_cast<std::size_t>(std::max(more_count, 0));
    }
    dependence_list read(void* memory) const noexcept {
        dependence_list made{.items = static_cast<dependence*>(memory)};
        add_items(made, count, items);
        add_items(made, more_count, more);
        merge(made);
        return made;
    }
};

}  // namespace
}  // namespace teff::openmp::kmpc

using namespace teff::openmp;
using namespace teff::openmp::kmpc;

extern "C" {

std::int32_t __kmpc_omp_task_with_deps(ident*, std::int32_t, task_block* block, std::int32_t count,
                                       const depend_item* items, std::int32_t more_count, const depend_item* more) {
    const two_arrays all{count, items, more_count, more};
    submit_block(this_place(), record_of(*block), all.read(__builtin_alloca(all.size() * sizeof(dependence))));
    return 0;
}

// Called before an undeferred task, which the compiler's code then calls itself.
void __kmpc_omp_wait_deps(ident*, std::int32_t, std::int32_t count, const depend_item* items, std::int32_t more_count,
                          const depend_item* more) {
    const two_arrays all{count, items, more_count, more};
    wait_for_dependences(this_place(), all.read(__builtin_alloca(all.size() * sizeof(dependence))));
}

void __kmpc_omp_taskwait_deps_51(ident*, std::int32_t, std::int32_t count, const depend_item* items,
                                 std::int32_t more_count, const depend_item* more, std::int32_t is_nowait) {
    const two_arrays all{count, items, more_count, more};
    const dependence_list read = all.read(__builtin_alloca(all.size() * sizeof(dependence)));
    place& caller = this_place();
    if (is_nowait == 0)
        return wait_for_dependences(caller, read);
    submit_empty(caller, read);
}
}
