// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls for reductions of worksharing constructs and of tasks.
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/regions/region.hpp>
#include <teff/frontends/openmp/core/tasks/task_reduction.hpp>
#include <teff/frontends/openmp/core/tasks/wait.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>
#include <teff/frontends/openmp/core/worksharing/reduction.hpp>
#include <teff/frontends/openmp/kmpc/ident.hpp>

#include <cstddef>

// Reductions of a construct. The result of the call tells the generated code how to combine: 1, by plain operations,
// after which it calls `end`; 2, by atomic operations. Without `nowait` it calls `end` in both cases, which is also a
// barrier.
namespace teff::openmp::kmpc {
namespace {

std::int32_t begin(const ident* location, std::int32_t variables, void* memory, bool is_nowait,
                   events::call_site from) noexcept {
    const events::runtime_call called(from);
    events::reduction_begins();
    const bool has_atomics = location != nullptr && (location->flags & ident::atomic_reduction) != 0;
    const combination_way way = begin_combination(this_place(), static_cast<unsigned>(variables), has_atomics,
                                                  critical_in(memory));
    // Nothing follows atomic operations.
    if (way == combination_way::atomic && is_nowait)
        events::reduction_ends();
    return way == combination_way::atomic ? 2 : 1;
}

}  // namespace
}  // namespace teff::openmp::kmpc

using namespace teff::openmp;
using kmpc::ident;

extern "C" {

std::int32_t __kmpc_reduce_nowait(ident* location, std::int32_t, std::int32_t variables, std::size_t, void*,
                                  void (*)(void*, void*), void* memory) {
    return kmpc::begin(location, variables, memory, true, TEFF_CALL_SITE);
}
void __kmpc_end_reduce_nowait(ident*, std::int32_t, void* memory) {
    const events::runtime_call called(TEFF_CALL_SITE);
    events::reduction_ends();
    end_combination(this_place(), critical_in(memory));
}
std::int32_t __kmpc_reduce(ident* location, std::int32_t, std::int32_t variables, std::size_t, void*,
                           void (*)(void*, void*), void* memory) {
    return kmpc::begin(location, variables, memory, false, TEFF_CALL_SITE);
}
void __kmpc_end_reduce(ident*, std::int32_t, void* memory) {
    const events::runtime_call called(TEFF_CALL_SITE);
    place& caller = this_place();
    end_combination(caller, critical_in(memory));
    events::reduction_ends();
    const events::sync_region waits(events::sync_kind::barrier_workshare);
    wait_at_barrier(caller);
}
}

// Task reductions. The items' description has two layouts: the older one lacks the address of the original value, and
// its functions for first values do not get this address.
namespace teff::openmp::kmpc {
namespace {

struct old_item {
    void* variable;
    std::size_t size;
    void (*init)(void* copy);
    void (*end)(void* copy);
    void (*combine)(void* to, void* copy);
    std::uint32_t flags;

    void* original() const noexcept { return variable; }
};
struct new_item {
    void* variable;
    void* original_value;
    std::size_t size;
    void (*init)(void* copy, void* original);
    void (*end)(void* copy);
    void (*combine)(void* to, void* copy);
    std::uint32_t flags;

    void* original() const noexcept { return original_value != nullptr ? original_value : variable; }
};

constexpr std::size_t round_up(std::size_t size, std::size_t to) noexcept { return (size + to - 1) / to * to; }

template <class Item>
reduction_copies& make_copies_of(place& caller, std::int32_t count, const Item* items) noexcept {
    constexpr std::size_t alignment = 64;
    std::size_t stride = 0;
    for (std::int32_t each = 0; each < count; ++each)
        stride += round_up(items[each].size, alignment);
    reduction_copies& made = make_copies(caller.size, static_cast<unsigned>(count), stride, alignment);
    std::size_t offset = 0;
    for (std::int32_t each = 0; each < count; ++each) {
        // The old functions ignore the second argument, which is passed in a register.
        auto* const init = reinterpret_cast<void (*)(void*, void*)>(reinterpret_cast<void*>(items[each].init));
        made.items[each] = {offset, items[each].size, init,
                            items[each].combine, items[each].end};
        offset += round_up(items[each].size, alignment);
    }
    return made;
}

template <class Item>
void* add_items(place& caller, reduction_copies& copies, bool is_shared, std::int32_t count,
                const Item* items) noexcept {
    task_reductions& added = add_reductions(caller, copies);
    added.is_shared = is_shared;
    for (std::int32_t each = 0; each < count; ++each)
        added.items[each] = {items[each].variable, items[each].original()};
    return caller.current->group;
}

// Adds items to the group that the running task has begun last. Returns the group.
template <class Item>
void* add_to_group(std::int32_t count, const Item* items) noexcept {
    place& caller = this_place();
    if (caller.current->group == nullptr || count <= 0)
        return nullptr;
    return add_items(caller, make_copies_of(caller, count, items), false, count, items);
}

// Begins the group of a construct with reduction(task, ...). Every thread of the team calls it.
template <class Item>
void* begin_of_team(std::int32_t count, const Item* items) noexcept {
    place& caller = this_place();
    begin_taskgroup(caller, true);
    if (count <= 0)
        return caller.current->group;
    reduction_copies& copies = share_copies(caller, caller.in->reductions,
                                            [&]() -> auto& { return make_copies_of(caller, count, items); });
    return add_items(caller, copies, true, count, items);
}

}  // namespace
}  // namespace teff::openmp::kmpc

using kmpc::new_item;
using kmpc::old_item;

extern "C" {

void* __kmpc_taskred_init(std::int32_t, std::int32_t count, new_item* items) {
    return kmpc::add_to_group(count, items);
}
void* __kmpc_task_reduction_init(std::int32_t, std::int32_t count, old_item* items) {
    return kmpc::add_to_group(count, items);
}

// The third argument says whether the construct is a worksharing construct or a region, which makes no difference here.
void* __kmpc_taskred_modifier_init(ident*, std::int32_t, std::int32_t, std::int32_t count, new_item* items) {
    return kmpc::begin_of_team(count, items);
}
void* __kmpc_task_reduction_modifier_init(ident*, std::int32_t, std::int32_t, std::int32_t count, old_item* items) {
    return kmpc::begin_of_team(count, items);
}
void __kmpc_task_reduction_modifier_fini(ident*, std::int32_t, std::int32_t) { end_taskgroup(this_place()); }

// group: the group whose items are searched first; nullptr: the innermost one. An unknown item is not reduced.
void* __kmpc_task_reduction_get_th_data(std::int32_t, void* group, void* item) {
    place& caller = this_place();
    const auto* const from = group != nullptr ? static_cast<const taskgroup*>(group) : caller.current->group;
    void* const copy = find_copy(caller, from, item, nullptr);
    return copy != nullptr ? copy : item;
}
}
