// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When partial results are added one after another, and when in a tree.
#include <teff/frontends/reduce/result.hpp>

#include <teff/base/clock.hpp>
#include <teff/team/tree_combination.hpp>

#include <cstdint>
#include <new>
#include <optional>

namespace teff::reducing {
namespace {

// A tree of fewer than this many has no fewer steps than a loop.
constexpr unsigned fewest_in_tree = 4;
// In a tree, an addition costs two or three more exchanges with other threads, so shorter ones are not shared.
constexpr std::int64_t short_addition_ns = 1'000;
// About the time until woken workers have joined.
constexpr std::int64_t worth_waking_ns = 50'000;

// Adds the partial results from slot `first` on to `total` in a tree. Returns false, with nothing done, if they are too
// few or there is no memory. Throws what += throws.
bool add_in_tree(void* total, unsigned first, const partial_sums& partial, const sum_type& type) {
    unsigned count = 0;
    for (unsigned slot = first; slot < partial.slots; ++slot)
        count += partial.of(slot) != nullptr ? 1 : 0;
    if (count < fewest_in_tree)
        return false;
    std::optional<tree_combination> tree;
    try {
        tree.emplace(count, partial.slots, type.add);
    } catch (const std::bad_alloc&) {
        return false;
    }
    void* root = nullptr;
    for (unsigned slot = partial.slots; slot-- > first;)
        if (void* const one = partial.of(slot))
            tree->set(--count, root = one);
    tree->run();
    type.add(total, root);
    return true;
}

}  // namespace

void add_up(void* total, const partial_sums& partial, const sum_type& type) {
    std::int64_t begin_ns = 0;
    unsigned added = 0, next_look = 2;
    for (unsigned slot = 0; slot < partial.slots; ++slot) {
        void* const one = partial.of(slot);
        if (one == nullptr)
            continue;
        const unsigned left = partial.slots - slot - 1;
        const bool is_measured = type.may_be_long && left >= fewest_in_tree;
        if (is_measured && added == 1)
            begin_ns = monotonic_ns();
        type.add(total, one);
        if (++added != next_look || !is_measured)
            continue;
        next_look *= 2;
        const std::int64_t one_ns = (monotonic_ns() - begin_ns) / (added - 1);
        if (one_ns >= short_addition_ns && one_ns * left >= worth_waking_ns &&
            add_in_tree(total, slot + 1, partial, type))
            break;
    }
}

}  // namespace teff::reducing
