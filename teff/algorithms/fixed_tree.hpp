// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tree of halves that depends only on the range. The same pieces are joined in the same order on any threads, so sums
// of floating-point numbers have the same bits for each number of threads, each scheduler, and each run.
//
// A range is divided as long as it is divisible. With the default grainsize, 1, it would be divisible down to single
// iterations, which is too fine for cheap ones. So the leaves of such a range have about an eighth of the square root
// of its size: single iterations for up to 127 of them (each may be large), 4 for 1000, 128 for a million. There are
// always more leaves than threads, and large ranges, whose iterations must be cheap, have leaves of hundreds. Rejected:
// leaves of one fixed length, since a loop of 1000 iterations of a second each must be divided.
#pragma once

#include <teff/blocked_range.hpp>
#include <teff/fork_join.hpp>
#include <teff/algorithms/halt.hpp>

#include <bit>
#include <cstddef>
#include <stop_token>
#include <utility>

namespace teff::algorithm {

template <class Range>
constexpr bool has_default_grain(const Range&) {
    return false;
}
template <class Value>
bool has_default_grain(const blocked_range<Value>& range) {
    return range.grainsize() == 1;
}
template <class Row, class Col>
bool has_default_grain(const blocked_range2d<Row, Col>& range) {
    return has_default_grain(range.rows()) && has_default_grain(range.cols());
}
template <class Page, class Row, class Col>
bool has_default_grain(const blocked_range3d<Page, Row, Col>& range) {
    return has_default_grain(range.pages()) && has_default_grain(range.rows()) && has_default_grain(range.cols());
}

template <class Range>
std::size_t largest_leaf(const Range& range) {
    if constexpr (requires { static_cast<std::size_t>(range.size()); }) {
        const auto half_the_bits = static_cast<unsigned>(std::bit_width(static_cast<std::size_t>(range.size()))) / 2;
        if (has_default_grain(range) && half_the_bits > 3)
            return std::size_t{1} << (half_the_bits - 3);
    }
    return 1;
}

template <class Range, class Work>
class fixed_tree {
public:
    using value = typename Work::value;

    fixed_tree(Work& work, halt& stop, std::size_t leaf) noexcept : work_(work), halt_(stop), leaf_(leaf) {}

    void run(Range& range, value& carried) noexcept {
        halt_.guard([&] {
            if (!halt_.is_set())
                run_or_throw(range, carried);
        });
    }

private:
    bool is_leaf(const Range& range) const {
        if constexpr (requires { static_cast<std::size_t>(range.size()); })
            return !range.is_divisible() || static_cast<std::size_t>(range.size()) <= leaf_;
        else
            return !range.is_divisible();
    }
    void run_or_throw(Range& first, value& left) {
        if (is_leaf(first))
            return work_.run(first, left);
        Range second(first, split{});
        value right = work_.fresh();
        fork_join([this, &first, &left] { run(first, left); }, [this, &second, &right] { run(second, right); });
        if (!halt_.has_failed())
            work_.join(left, std::move(right));
    }

    Work& work_;
    halt& halt_;
    const std::size_t leaf_;
};

// Runs all of a range and rethrows what a piece threw.
template <class Range, class Work>
void run_fixed_tree(Work& work, typename Work::value& carried, const Range& range, std::stop_token token) {
    if (range.empty())
        return;
    halt stop(std::move(token));
    Range whole(range);
    fixed_tree<Range, Work>(work, stop, largest_leaf(range)).run(whole, carried);
    stop.rethrow();
}

}  // namespace teff::algorithm
