// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the partial results of a team's members become one result (Blaze-Tasks, section 4.3.1).
//
// The caller adds them in the order of slots, one after another, while that is short. If additions are long, several
// threads add the remaining ones pairwise, in a tree (team/tree_combination.hpp), so that the time grows with the
// logarithm of their number. How long they are is measured: after 1, 2, 4, ... additions the caller estimates what the
// rest would take. The first partial result is not measured, because in most short calls there is no other.
//
// Differs from the paper, which always combines up the tree in which the threads of the call were started: our threads
// outlive the call, and members may have left long before its end. They leave their partial results behind, so the
// caller can start a tree where one is worth it.
//
// The type of the sums is known to the caller only, so this is compiled once, in the library.
#pragma once

#include <teff/frontends/reduce/result.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace teff::reducing {

// The properties of a sum's type that the library needs.
struct sum_type {
    std::size_t size = 0;  // 0: the body returns nothing
    std::size_t alignment = 1;
    bool may_be_long = false;  // whether an addition can be long
    // *into += std::move(*from); throws what that throws.
    void (*add)(void* into, void* from) = nullptr;

    template <class R>
    static sum_type of() noexcept {
        if constexpr (std::is_same_v<R, nothing>)
            return {};
        else
            return {sizeof(R), alignof(R), !std::is_scalar_v<R>, add_one<R>};
    }

private:
    template <class R>
    static void add_one(void* into, void* from) {
        *static_cast<R*>(into) += std::move(*static_cast<R*>(from));
    }
};

// The partial result of each slot.
struct partial_sums {
    unsigned slots;
    void* team;
    // That of one slot, or nullptr if there is none.
    void* (*get)(void* team, unsigned slot) noexcept;

    void* of(unsigned slot) const noexcept { return get(team, slot); }
};

// Adds all partial results to *total; they are moved from. Only when no member works any more. Throws what += throws.
void add_up(void* total, const partial_sums& partial, const sum_type& type);

}  // namespace teff::reducing
