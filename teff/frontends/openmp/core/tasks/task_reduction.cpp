// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes, finds and combines the private copies of task reductions; see task_reduction.hpp.
#include <teff/frontends/openmp/core/tasks/task_reduction.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>

#include <cstring>
#include <new>

namespace teff::openmp {
namespace {

[[noreturn]] void end_without_memory_for_reductions() noexcept {
    fatal("OpenMP", "there is no memory for the copies of a task reduction", "give the process more memory");
}

template <class T>
T* make_array(std::size_t count) noexcept {
    void* const memory = allocate(count * sizeof(T), alignof(T));
    if (memory == nullptr)
        end_without_memory_for_reductions();
    std::memset(memory, 0, count * sizeof(T));
    return static_cast<T*>(memory);
}
template <class T>
void free_array(T* address, std::size_t count) noexcept {
    deallocate(address, count * sizeof(T), alignof(T));
}

// The index of the item that `address` names; `count`: there is none.
unsigned find_item(const task_reductions& in, void* address) noexcept {
    const reduction_copies& copies = *in.copies;
    for (unsigned each = 0; each != copies.count; ++each)
        if (in.items[each].variable == address || in.items[each].original == address)
            return each;
    const auto at = reinterpret_cast<std::uintptr_t>(address), first = reinterpret_cast<std::uintptr_t>(copies.area);
    if (at < first || at >= first + copies.threads * copies.stride)
        return copies.count;
    const std::size_t offset = (at - first) % copies.stride;
    for (unsigned each = 0; each != copies.count; ++each)
        if (offset >= copies.items[each].offset && offset - copies.items[each].offset < copies.items[each].size)
            return each;
    return copies.count;
}

void* use_copy(const task_reductions& in, unsigned thread, unsigned item) noexcept {
    const reduction_copies& copies = *in.copies;
    std::byte* const copy = copies.copy(thread, item);
    bool& is_made = copies.is_made[thread * copies.count + item];
    if (!is_made) {
        is_made = true;
        if (copies.items[item].init != nullptr)
            copies.items[item].init(copy, in.items[item].original);
    }
    return copy;
}

void combine(const task_reductions& ended) noexcept {
    const reduction_copies& copies = *ended.copies;
    for (unsigned thread = 0; thread != copies.threads; ++thread) {
        for (unsigned item = 0; item != copies.count; ++item) {
            const reduction_item& reduction = copies.items[item];
            if (reduction.combine == nullptr || !copies.is_made[thread * copies.count + item])
                continue;
            reduction.combine(ended.items[item].variable, copies.copy(thread, item));
            if (reduction.end != nullptr)
                reduction.end(copies.copy(thread, item));
        }
    }
}

}  // namespace

reduction_copies& make_copies(unsigned threads, unsigned count, std::size_t stride, std::size_t alignment) noexcept {
    auto* const made = create<reduction_copies>();
    if (made == nullptr)
        end_without_memory_for_reductions();
    made->threads = threads;
    made->count = count;
    made->stride = stride;
    made->alignment = alignment < alignof(void*) ? alignof(void*) : alignment;
    made->area = static_cast<std::byte*>(allocate(threads * stride, made->alignment));
    if (made->area == nullptr)
        end_without_memory_for_reductions();
    std::memset(made->area, 0, threads * stride);
    made->items = make_array<reduction_item>(count);
    made->is_made = make_array<bool>(std::size_t{threads} * count);
    return *made;
}

void free_copies(reduction_copies& unused) noexcept {
    deallocate(unused.area, unused.threads * unused.stride, unused.alignment);
    free_array(unused.items, unused.count);
    free_array(unused.is_made, std::size_t{unused.threads} * unused.count);
    destroy(&unused);
}

task_reductions& add_reductions(place& caller, reduction_copies& copies) noexcept {
    auto* const made = create<task_reductions>();
    if (made == nullptr)
        end_without_memory_for_reductions();
    made->copies = &copies;
    made->items = make_array<task_reductions::names>(copies.count);
    taskgroup& group = *caller.current->group;
    made->next = group.reductions;
    group.reductions = made;
    return *made;
}

shared_construct& begin_shared(place& caller, shared_reductions& in) noexcept {
    const unsigned number = caller.shared_reductions++;
    shared_construct* found = in.open;
    while (found != nullptr && found->number != number)
        found = found->next;
    if (found == nullptr) {
        found = create<shared_construct>();
        if (found == nullptr)
            end_without_memory_for_reductions();
        found->number = number;
        found->around = caller.shared;
        found->next = in.open;
        in.open = found;
    }
    caller.shared = found;
    return *found;
}

reduction_copies* unshare_copies(place& caller, shared_reductions& in) noexcept {
    const scoped_lock locked(in.guard);
    shared_construct* const mine = caller.shared;
    caller.shared = mine->around;
    if (++mine->left != caller.size) {
        sanitizers::always_before(mine);
        return nullptr;
    }
    // The caller combines the copies, which the other threads have used. always: Archer does not know this order.
    sanitizers::always_after(mine);
    shared_construct** link = &in.open;
    while (*link != mine)
        link = &(*link)->next;
    *link = mine->next;
    reduction_copies* const copies = mine->copies;
    destroy(mine);
    return copies;
}

void* find_copy(place& caller, const taskgroup* from, void* address, void** original) noexcept {
    for (; from != nullptr; from = from->outer) {
        for (const task_reductions* each = from->reductions; each != nullptr; each = each->next) {
            const unsigned item = find_item(*each, address);
            if (item == each->copies->count)
                continue;
            if (original != nullptr)
                *original = each->items[item].variable;
            return use_copy(*each, caller.number, item);
        }
    }
    return nullptr;
}

void end_reductions(place& caller, taskgroup& ended) noexcept {
    while (task_reductions* const each = ended.reductions) {
        ended.reductions = each->next;
        reduction_copies& copies = *each->copies;
        // If the compiler's code combines the copies, it also frees them.
        const bool is_ours = copies.count != 0 && copies.items[0].combine != nullptr;
        if (is_ours && (!each->is_shared || unshare_copies(caller, caller.in->reductions) != nullptr)) {
            combine(*each);
            free_array(each->items, copies.count);
            free_copies(copies);
        } else {
            free_array(each->items, copies.count);
        }
        destroy(each);
    }
}

}  // namespace teff::openmp
