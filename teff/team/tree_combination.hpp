// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Combines many values into one on several threads, pairwise in a tree (combining_tree.hpp).
//
// A team of its own: its caller and the workers that join take pairs of neighbours until none is left. There is nothing
// to wait for inside, so it needs no scheduler. Each thread that takes a pair wakes another one while there are more.
// The type of the values is known to the caller only, so this is compiled once, in the library.
#pragma once

#include <teff/scheduler/slots.hpp>
#include <teff/scheduler/stop_state.hpp>
#include <teff/team/combining_tree.hpp>
#include <teff/team/team.hpp>

#include <cstddef>

namespace teff {

class tree_combination final : public team {
public:
    // Combines *from into *into. Called by several threads at once, for different values.
    using combine_function = void (*)(void* into, void* from);

    // count: the number of values, 2..4096; threads: at most this many work together, at least 1, with the caller.
    // Throws std::bad_alloc.
    tree_combination(unsigned count, unsigned threads, combine_function combine);

    // Sets value number `place`, 0..count-1. Each must be set before run(), and must live until run() has returned.
    void set(unsigned place, void* value) noexcept { values_[place] = value; }

    // Combines all values into value 0, each with those behind it, so their order is kept. Once. Throws the first
    // exception of `combine`; the values are then combined in part.
    void run();

    bool has_visible_work() const noexcept override;
    void request() noexcept override;
    void orphan() noexcept override;
    std::size_t queued_estimate() const noexcept override;

private:
    void work(unsigned slot, unsigned worker) noexcept override;
    void cancel() noexcept override;
    bool take(unsigned& pair) noexcept;
    void combine_from(unsigned pair) noexcept;
    unsigned taken() const noexcept;

    const unsigned pairs_;
    const combine_function combine_;
    slots<void*> values_;
    slots<atomic<bool>> flags_;
    combining_tree<slots<atomic<bool>>> tree_;
    stop_state stop_;
    alignas(false_sharing_range) atomic<unsigned> next_{0};  // the next pair to take
};

}  // namespace teff
