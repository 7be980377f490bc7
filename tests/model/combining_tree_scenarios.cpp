// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tree that decides which thread combines which values: each combination is made once, by a thread that sees both
// sides complete, and the order of the values is kept.
//
// The values are ordinary memory, so a combination that comes too early is a data race. A value is the list of the
// numbers that it was made of, as hexadecimal digits.
#include "definition.hpp"

#include <teff/base/atomic.hpp>
#include <teff/team/tree_combination.hpp>

#include <array>
#include <cstdint>

namespace scenarios {
namespace {

struct value {
    std::uint64_t digits = 0;
    unsigned length = 0;
};

template <unsigned Count>
class values {
    using flags = std::array<teff::atomic<bool>, Count>;

public:
    values() {
        for (unsigned i = 0; i < Count; ++i)
            values_[i] = {i + 1, 1};
    }
    void climb(unsigned pair) {
        tree_.climb(pair, [this](unsigned left, unsigned right) {
            model::check(left < right && right < Count, "a combination of values that do not exist");
            value& into = values_[left];
            value& from = values_[right];
            model::check(from.length != 0, "a value was combined twice");
            into = {(into.digits << (4 * from.length)) | from.digits, into.length + from.length};
            from.length = 0;
        });
    }
    // Pairs `first`, `first + step`, and so on, as a thread that shares the pairs with step - 1 others.
    void climb_each(unsigned first, unsigned step) {
        for (unsigned pair = first; pair < pairs; pair += step)
            climb(pair);
    }
    // When all threads have ended.
    void check_result() const {
        std::uint64_t expected = 0;
        for (unsigned i = 0; i < Count; ++i)
            expected = (expected << 4) | (i + 1);
        model::check(values_[0].length == Count, "a value was left out");
        model::check(values_[0].digits == expected, "the values were combined in another order");
    }

    static constexpr unsigned pairs = teff::combining_tree<flags>::pairs_of(Count);

private:
    flags flags_{};
    std::array<value, Count> values_;
    teff::combining_tree<flags> tree_{flags_, Count};
};

template <unsigned Count>
void two_threads() {
    values<Count> all;
    model::parallel([&] { all.climb_each(0, 2); }, [&] { all.climb_each(1, 2); });
    all.check_result();
}

template <unsigned Count>
void three_threads() {
    values<Count> all;
    model::parallel([&] { all.climb_each(0, 3); }, [&] { all.climb_each(1, 3); }, [&] { all.climb_each(2, 3); });
    all.check_result();
}

// The caller's part: it may read the result once it knows that the other thread has ended its calls.
TEFF_SCENARIO(combining_tree, a_pair_without_a_neighbour_climbs_first) {
    values<5> all;
    all.climb(2);
    model::parallel([&] { all.climb(0); }, [&] { all.climb(1); });
    all.check_result();
}

// Threads take the pairs from a counter, as the members of a team do.
TEFF_SCENARIO(combining_tree, threads_take_the_next_pair) {
    values<6> all;
    teff::atomic<unsigned> next{0};
    const auto work = [&] {
        for (;;) {
            // relaxed: only the number matters.
            const unsigned pair = next.fetch_add(1, std::memory_order_relaxed);
            if (pair >= values<6>::pairs)
                return;
            all.climb(pair);
        }
    };
    model::parallel(work, work);
    all.check_result();
}

TEFF_SCENARIO(combining_tree, three_values) { two_threads<3>(); }
TEFF_SCENARIO(combining_tree, four_values) { two_threads<4>(); }
TEFF_SCENARIO(combining_tree, seven_values) { two_threads<7>(); }
TEFF_SCENARIO(combining_tree, five_values_by_three_threads) { three_threads<5>(); }
TEFF_SCENARIO(combining_tree, six_values_by_three_threads) { three_threads<6>(); }
TEFF_SCENARIO(combining_tree, eight_values_by_three_threads) { three_threads<8>(); }

}  // namespace

std::span<const model::scenario> combining_tree_scenarios() { return defined_here; }

}  // namespace scenarios
