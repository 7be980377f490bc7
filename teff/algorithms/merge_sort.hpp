// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stable merge sort between a range and a scratch buffer of the same size. Each part is given the place, range or
// buffer, for its result. It lets its two halves leave their results in the other place and merges from there, so every
// level moves each element once. A part that is already sorted is not divided further; nor is one in strictly
// descending order, which is reversed.
//
// A merge runs in chunks. It merges from both ends, because the two ends form independent chains of comparisons. It
// moves elements one by one without a branch on a comparison. It branches only to test whether the next few elements of
// a run precede all others: such a stretch is moved as a whole. Between chunks the merge divides the rest if a worker
// is idle: at the middle of the longer run, and at the place in the other run where that middle element belongs. That
// place is behind or in front of the equal elements, whichever keeps the sort stable.
//
// Whatever is thrown, the elements end up in the place where they are wanted: after a failure, parts are moved without
// comparing.
#pragma once

#include <teff/algorithms/lazy_loop.hpp>
#include <teff/algorithms/small_sort.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace teff::algorithm {

template <class Compare>
class merge_sort {
public:
    merge_sort(const Compare& before, halt& stop) noexcept : before_(before), halt_(stop) {}

    // Sorts the `count` elements at `data`. Leaves them at `there` if `to_there`, else at `data`.
    template <class Data, class There>
    void run(Data data, There there, std::size_t count, bool to_there) noexcept {
        if (count <= most_inserted || halt_.is_set())
            return sort_few(data, there, count, to_there);
        if (count >= least_for_runs && is_run(data, count))
            return to_there ? move_all(data, count, there) : void();
        const std::size_t half = count / 2;
        const auto low = [=, this] { run(data, there, half, !to_there); };
        const auto high = [=, this] { run(advanced(data, half), advanced(there, half), count - half, !to_there); };
        if (count < least_for_fork) {
            low();
            high();
        } else {
            run_both(low, high);
        }
        if (to_there)
            merge_halves(data, half, count, there);
        else
            merge_halves(there, half, count, data);
    }

private:
    static constexpr std::size_t most_inserted = 16;
    static constexpr std::size_t least_for_runs = 128;
    static constexpr std::size_t least_for_fork = 1024;
    static constexpr std::ptrdiff_t chunk = 1024;
    static constexpr std::ptrdiff_t stretch = 16;

    // Calls each function exactly once; the functions do not throw. If fork_join() throws, it may have called one of
    // them or both.
    template <class F, class G>
    void run_both(const F& low, const G& high) noexcept {
        bool low_began = false, high_began = false;
        halt_.guard([&] {
            fork_join([&] { low_began = true, low(); }, [&] { high_began = true, high(); });
        });
        if (!low_began)
            low();
        if (!high_began)
            high();
    }

    template <class Data, class There>
    void sort_few(Data data, There there, std::size_t count, bool to_there) noexcept {
        if (!halt_.is_set())
            halt_.guard([&] { insertion_sort(data, advanced(data, count), before_); });
        if (to_there)
            move_all(data, count, there);
    }
    template <class Data>
    bool is_run(Data data, std::size_t count) noexcept {
        bool found = false;
        halt_.guard([&] { found = is_soon_sorted(data, advanced(data, count), before_); });
        return found;
    }
    template <class Data, class There>
    void move_all(Data data, std::size_t count, There there) noexcept {
        halt_.guard([&] { std::move(data, advanced(data, count), there); });
    }

    template <class From, class To>
    void merge_halves(From from, std::size_t half, std::size_t count, To to) noexcept {
        const From middle = advanced(from, half), end = advanced(from, count);
        merge<From, To>({from, middle, middle, end, to, advanced(to, count)});
    }

    // The rest of two runs, and the rest of their destination.
    template <class From, class To>
    struct runs {
        From low, low_end, high, high_end;
        To to, to_end;

        std::ptrdiff_t shorter() const { return std::min<std::ptrdiff_t>(low_end - low, high_end - high); }
    };

    template <class From, class To>
    void merge(runs<From, To> left) noexcept {
        halt_.guard([&] {
            if (left.shorter() != 0 && !before_(*left.high, *(left.low_end - 1)))
                return;
            while (left.shorter() != 0 && !halt_.is_set()) {
                if (left.to_end - left.to >= 4 * chunk && !forking::is_plain()) {
                    fork_merge(left);
                    left = {left.low_end, left.low_end, left.high_end, left.high_end, left.to_end, left.to_end};
                    return;
                }
                merge_chunk(left);
            }
        });
        halt_.guard([&] { std::move(left.high, left.high_end, std::move(left.low, left.low_end, left.to)); });
    }

    // If a comparison throws, `left` describes what remains. Each end takes less than half of either run while both
    // ends move. So the ends do not meet, and neither reads an element that the other one has moved, whatever the
    // comparisons return.
    template <class From, class To>
    void merge_chunk(runs<From, To>& left) {
        held<Compare> before = before_;
        runs<From, To> at = left;  // in registers
        struct write_back {
            runs<From, To>& to;
            const runs<From, To>& from;
            ~write_back() { to = from; }
        } const at_end{left, at};
        const auto take_first = [&] {
            const bool takes_high = before(*at.high, *at.low);
            *at.to = std::ranges::iter_move(takes_high ? at.high : at.low);
            at.low += !takes_high;
            at.high += takes_high;
            ++at.to;
        };
        const auto take_last = [&] {
            const bool takes_low = before(*(at.high_end - 1), *(at.low_end - 1));
            *(at.to_end - 1) = std::ranges::iter_move((takes_low ? at.low_end : at.high_end) - 1);
            at.low_end -= takes_low;
            at.high_end -= !takes_low;
            --at.to_end;
        };
        const auto take_stretch = [&](From& first) {
            at.to = std::move(first, first + stretch, at.to);
            first += stretch;
        };
        for (std::ptrdiff_t moved = 0; moved < chunk && at.shorter() >= 2 * stretch; moved += stretch) {
            if (!before(*at.high, at.low[stretch - 1])) {
                take_stretch(at.low);
            } else if (before(at.high[stretch - 1], *at.low)) {
                take_stretch(at.high);
            } else {
                for (std::ptrdiff_t i = 0; i != stretch; ++i) {
                    take_first();
                    take_last();
                }
            }
        }
        for (std::ptrdiff_t few = std::min(at.shorter(), 2 * stretch); few != 0; --few)
            take_first();
    }

    // If a comparison throws, nothing has been moved.
    template <class From, class To>
    void fork_merge(const runs<From, To>& all) {
        const auto in_order = [this](auto&& left, auto&& right) -> bool { return before_(left, right); };
        From low = all.low, high = all.high;
        if (all.low_end - low >= all.high_end - high) {
            low += (all.low_end - low) / 2;
            high = std::lower_bound(high, all.high_end, *low, in_order);
        } else {
            high += (all.high_end - high) / 2;
            low = std::upper_bound(low, all.low_end, *high, in_order);
        }
        const To to = all.to + ((low - all.low) + (high - all.high));
        run_both([=, this] { merge<From, To>({all.low, low, all.high, high, all.to, to}); },
                 [=, this] { merge<From, To>({low, all.low_end, high, all.high_end, to, all.to_end}); });
    }

    const Compare& before_;
    halt& halt_;
};

}  // namespace teff::algorithm
