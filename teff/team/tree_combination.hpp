// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Combines many values into one on several threads, pairwise in a tree.
//
// A team of its own: its caller and the workers that join take pairs of neighbours until none is left. There is nothing
// to wait for inside, so it needs no scheduler. Each thread that takes a pair wakes another one while there are more.
// The type of the values is known to the caller only, so this is compiled once, in the library.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/scheduler/slots.hpp>
#include <teff/scheduler/stop_state.hpp>
#include <teff/team/team.hpp>

#include <cstddef>

namespace teff {

// Assigns the pairwise combinations of N values, which form a tree, to several threads, without waits.
//
//   values     0   1   2   3   4   5   6         a pair of neighbours is a leaf of the work: threads take the pairs
//   pairs      0 + 1   2 + 3   4 + 5   6         in any order
//   then         0   +   2       4  +  6
//   then             0       +      4            the result is in value 0
//
// Each + combines two adjacent ranges of values, so the order of the values is kept. Each + above the pairs has a flag,
// stored at the first value of its right side. A thread that has completed one side sets the flag. The thread that sets
// it first leaves. The second one finds it set, combines the two sides and continues upwards. So no thread waits, and
// at most ceil(log2 N) combinations depend on each other. (In Blaze-Tasks, section 4.3.1, the tree consists of the
// threads, and a parent waits for its children.)

// N values, 2..4096. Flags: `flags[i]` is the atomic<bool> of value i, initially false; those of even numbers are used.
template <class Flags>
class combining_tree {
public:
    combining_tree(Flags& flags, unsigned count) noexcept : flags_(flags), count_(count) {}

    static constexpr unsigned pairs_of(unsigned count) noexcept { return (count + 1) / 2; }

    // Any thread, once for each number from 0 to pairs_of(N) - 1. Calls combine(left, right) for the values of this
    // pair, and for those above it of which the other side is complete; it must combine value `right` into value
    // `left`. Once all these calls have returned, value 0 is the result. If combine throws, the calls above it never
    // happen.
    template <class Combine>
    void climb(unsigned pair, Combine&& combine) {
        unsigned self = 2 * pair;
        if (self + 1 < count_)
            combine(self, self + 1);
        // Invariant: value `self` is the combination of the values self to self + width - 1, as far as they exist.
        for (unsigned width = 2; width < count_; width *= 2) {
            const bool is_right = (self & width) != 0;
            const unsigned left = is_right ? self - width : self;
            const unsigned right = left + width;
            if (right >= count_)
                continue;
            sanitizers::happens_before(flags_[right].address());
            // release: the values of this side are complete; partner: the acquire of the thread that comes second.
            // acquire: if this thread comes second, it sees the values of the other side.
            if (!flags_[right].exchange(true, std::memory_order_acq_rel))
                return;
            sanitizers::happens_after(flags_[right].address());
            combine(left, right);
            self = left;
        }
    }

private:
    Flags& flags_;
    const unsigned count_;
};

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
