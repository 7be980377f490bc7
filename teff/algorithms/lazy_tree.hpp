// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Like lazy_loop, for ranges that can only split themselves: ranges of several dimensions, and a user's own types.
// While forks are plain (no worker asks for work), the range is split without forks until a piece takes about a chunk's
// time. Work is measured by size: size() of the whole range, or 2^32 if it has none, halved at each split.
//
// A Work is as in lazy_loop.hpp, except that it has run(Range&, value&).
#pragma once

#include <teff/blocked_range.hpp>
#include <teff/fork_join.hpp>
#include <teff/algorithms/halt.hpp>
#include <teff/algorithms/pace.hpp>

#include <cstddef>
#include <utility>

namespace teff::algorithm {

template <class Range, class Work>
class lazy_tree {
public:
    using value = typename Work::value;

    lazy_tree(Work& work, halt& stop) noexcept : work_(work), halt_(stop) {}

    void run(Range& range, std::size_t size, value& carried) noexcept {
        halt_.guard([&] { run_or_throw(range, size, carried); });
    }

private:
    void run_or_throw(Range& range, std::size_t size, value& carried) {
        if (halt_.is_set())
            return;
        pace own(known_, 1, 0);
        if (!range.is_divisible() || (forking::is_plain() && size <= own.chunk())) {
            own.start();
            work_.run(range, carried);
            own.ran(size);
            return;
        }
        Range second(range, split{});
        if (forking::is_plain() || !own.is_worth_forking(size)) {
            run_or_throw(range, size - size / 2, carried);
            run_or_throw(second, size / 2, carried);
            return;
        }
        fork(range, second, size, carried);
    }

    [[gnu::noinline]] void fork(Range& first, Range& second, std::size_t size, value& left) {
        value right = work_.fresh();
        fork_join([=, this, &first, &left] { run(first, size - size / 2, left); },
                  [=, this, &second, &right] { run(second, size / 2, right); });
        if (!halt_.has_failed())
            work_.join(left, std::move(right));
    }

    Work& work_;
    halt& halt_;
    known_pace known_;
};

template <class Range>
std::size_t size_of(const Range& range) {
    if constexpr (requires { static_cast<std::size_t>(range.size()); })
        return static_cast<std::size_t>(range.size());
    else
        return std::size_t{1} << 32;
}

// Runs all of a range and rethrows what a piece threw.
template <class Range, class Work>
void run_tree(Work& work, typename Work::value& carried, const Range& range, std::stop_token token) {
    if (range.empty())
        return;
    halt stop(std::move(token));
    Range whole(range);
    lazy_tree<Range, Work>(work, stop).run(whole, size_of(range), carried);
    stop.rethrow();
}

}  // namespace teff::algorithm
