// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the partial results of a team's members become one result (Blaze-Tasks, section 4.3.1).
//
// The caller adds them in the order of slots, one after another, while that is short. If additions are long, several
// threads add the remaining ones pairwise, in a tree (runtime/tree_combination.hpp), so that the time grows with the
// logarithm of their number. How long they are is measured: after 1, 2, 4, ... additions the caller estimates what the
// rest would take. The first partial result is not measured, because in most short calls there is no other.
//
// Differs from the paper, which always combines up the tree in which the threads of the call were started: our threads
// outlive the call, and members may have left long before its end. They leave their partial results behind, so the
// caller can start a tree where one is worth it.
#pragma once

#include <teff/base/clock.hpp>
#include <teff/frontends/reduce/result.hpp>
#include <teff/runtime/tree_combination.hpp>

#include <cstdint>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

namespace teff::reducing {

// A tree of fewer than this many has no fewer steps than a loop.
inline constexpr unsigned fewest_in_tree = 4;
// In a tree, an addition costs two or three exchanges with other threads more; these are not worth sharing.
inline constexpr std::int64_t short_addition_ns = 1'000;
// What it takes until woken workers are there.
inline constexpr std::int64_t worth_waking_ns = 50'000;

// Whether an addition can be long.
template <class R>
inline constexpr bool may_be_long = !std::is_scalar_v<R> && !std::is_same_v<R, nothing>;

// Adds the partial results of slots `first` to `slots` - 1 to `total` in a tree. Returns false, with nothing done, if
// they are too few or there is no memory. Throws what += throws.
template <class R, class PartialOf>
bool combine_in_tree(R& total, unsigned first, unsigned slots, PartialOf& partial_of) {
    unsigned count = 0;
    for (unsigned slot = first; slot < slots; ++slot)
        count += partial_of(slot) != nullptr ? 1 : 0;
    if (count < fewest_in_tree)
        return false;
    std::optional<tree_combination> tree;
    try {
        tree.emplace(count, slots, [](void* into, void* from) {
            *static_cast<R*>(into) += std::move(*static_cast<R*>(from));
        });
    } catch (const std::bad_alloc&) {
        return false;
    }
    R* root = nullptr;
    for (unsigned slot = slots; slot-- > first;)
        if (R* const partial = partial_of(slot))
            tree->set(--count, root = partial);
    tree->run();
    total += std::move(*root);
    return true;
}

// The sum of all partial results. partial_of(slot): a pointer to the one of that slot, or nullptr; they are moved from.
// Only when no member works any more. Throws what += throws.
template <class R, class PartialOf>
R combined(unsigned slots, PartialOf&& partial_of) {
    R total{};
    [[maybe_unused]] std::int64_t begin_ns = 0;
    [[maybe_unused]] unsigned added = 0, next_look = 2;
    for (unsigned slot = 0; slot < slots; ++slot) {
        R* const partial = partial_of(slot);
        if (partial == nullptr)
            continue;
        [[maybe_unused]] const unsigned left = slots - slot - 1;
        if constexpr (may_be_long<R>)
            if (added == 1 && left >= fewest_in_tree)
                begin_ns = monotonic_ns();
        total += std::move(*partial);
        if constexpr (may_be_long<R>) {
            if (++added != next_look || left < fewest_in_tree)
                continue;
            next_look *= 2;
            const std::int64_t one_ns = (monotonic_ns() - begin_ns) / (added - 1);
            if (one_ns >= short_addition_ns && one_ns * left >= worth_waking_ns &&
                combine_in_tree(total, slot + 1, slots, partial_of))
                break;
        }
    }
    return total;
}

}  // namespace teff::reducing
