// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stable merge sort between a range and a scratch of the same size. A part's elements are in one of the two and are
// wanted in one of the two; its halves are wanted in the other one than the part is, so every level moves each element
// once.
//
// A merge runs in chunks; if somebody is hungry it divides what is left: at the middle of the longer run, and at the
// place in the other run where that element belongs, behind its equals or before them so that the order of equal
// elements stays.
//
// Whatever is thrown, the elements end in the place where they are wanted: after a failure parts are moved without
// comparing.
#pragma once

#include <teff/frontends/algorithms/scratch.hpp>
#include <teff/frontends/algorithms/small_sort.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace teff::algorithm {

template <class Compare>
class merge_sort {
public:
    merge_sort(const Compare& before, halt& ending) noexcept : before_(before), halt_(ending) {}

    // Sorts the `count` elements at `here` and leaves them there, or at `there`.
    template <class Here, class There>
    void run(Here here, There there, std::size_t count, bool to_there) noexcept {
        if (count <= most_inserted || halt_.is_set())
            return sort_few(here, there, count, to_there);
        const std::size_t half = count / 2;
        const auto low = [=, this] { run(here, there, half, !to_there); };
        const auto high = [=, this] { run(advanced(here, half), advanced(there, half), count - half, !to_there); };
        if (count < least_for_fork || !try_fork(low, high)) {
            low();
            high();
        }
        if (to_there)
            merge(here, advanced(here, half), advanced(here, half), advanced(here, count), there);
        else
            merge(there, advanced(there, half), advanced(there, half), advanced(there, count), here);
    }

private:
    static constexpr std::size_t most_inserted = 20;
    static constexpr std::size_t least_for_fork = 1024;
    static constexpr std::ptrdiff_t chunk = 1024;

    // Neither function throws; false: nothing was called.
    template <class F, class G>
    bool try_fork(const F& low, const G& high) noexcept {
        try {
            fork_join(low, high);
            return true;
        } catch (...) {
            halt_.keep();
            return false;
        }
    }

    template <class Here, class There>
    void sort_few(Here here, There there, std::size_t count, bool to_there) noexcept {
        if (!halt_.is_set())
            halt_.guard([&] { insertion_sort(here, advanced(here, count), before_); });
        if (to_there)
            halt_.guard([&] { std::move(here, advanced(here, count), there); });
    }

    template <class From, class To>
    void merge(From low, From low_end, From high, From high_end, To to) noexcept {
        halt_.guard([&] {
            if (low != low_end && high != high_end && !before_(*high, *(low_end - 1)))
                return;
            while (low != low_end && high != high_end && !halt_.is_set()) {
                if (high_end - high + (low_end - low) >= 4 * chunk && !forking::is_plain()) {
                    if (fork_merge(low, low_end, high, high_end, to)) {
                        low = low_end;
                        high = high_end;
                    }
                    return;
                }
                merge_some(low, high, std::min({chunk, std::ptrdiff_t{low_end - low}, std::ptrdiff_t{high_end - high}}),
                           to);
            }
        });
        halt_.guard([&] { std::move(high, high_end, std::move(low, low_end, to)); });
    }

    // Neither run ends within so many steps. No branch depends on a comparison.
    template <class From, class To>
    void merge_some(From& low, From& high, std::ptrdiff_t count, To& to) {
        held<Compare> before = before_;
        for (; count != 0; --count) {
            const bool takes_high = before(*high, *low);
            *to = std::ranges::iter_move(takes_high ? high : low);
            low += !takes_high;
            high += takes_high;
            ++to;
        }
    }

    // False: nothing was moved.
    template <class From, class To>
    bool fork_merge(From low, From low_end, From high, From high_end, To to) {
        From low_middle = low, high_middle = high;
        if (low_end - low >= high_end - high) {
            low_middle += (low_end - low) / 2;
            high_middle = std::lower_bound(high, high_end, *low_middle, before_);
        } else {
            high_middle += (high_end - high) / 2;
            low_middle = std::upper_bound(low, low_end, *high_middle, before_);
        }
        const To to_middle = to + ((low_middle - low) + (high_middle - high));
        return try_fork([=, this] { merge(low, low_middle, high, high_middle, to); },
                        [=, this] { merge(low_middle, low_end, high_middle, high_end, to_middle); });
    }

    const Compare& before_;
    halt& halt_;
};

}  // namespace teff::algorithm
