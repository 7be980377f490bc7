// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::stable_sort, which Clang does not compile without a warning of the standard library's own code.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace teff::cli {

// Sorts, and keeps the order of elements of which none is before the other.
template <class T, class Before>
void sort_stably(std::vector<T>& all, const Before& before) {
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
        if (before(all[one], all[other]))
            return true;
        return !before(all[other], all[one]) && one < other;
    });
    std::vector<T> sorted;
    sorted.reserve(all.size());
    for (const std::size_t each : order)
        sorted.push_back(std::move(all[each]));
    all = std::move(sorted);
}

}  // namespace teff::cli
