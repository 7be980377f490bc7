// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Medians and paired ratios; see statistics.hpp.
//
// Series are short, so the pairs are found by linear search and each series is sorted as a whole.
#include <cli/report/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace teff::cli {

double median(std::vector<double> series) {
    if (series.empty())
        throw std::invalid_argument("median of an empty series");
    std::sort(series.begin(), series.end());
    const std::size_t middle = series.size() / 2;
    return series.size() % 2 == 1 ? series[middle] : (series[middle - 1] + series[middle]) / 2;
}

five_number_summary quartiles(std::vector<double> series) {
    if (series.empty())
        throw std::invalid_argument("quartiles of an empty series");
    std::sort(series.begin(), series.end());
    const auto at = [&](double share) {
        const double place = share * static_cast<double>(series.size() - 1);
        const auto below = static_cast<std::size_t>(place);
        const std::size_t above = std::min(below + 1, series.size() - 1);
        return std::lerp(series[below], series[above], place - static_cast<double>(below));
    };
    return {series.front(), at(0.25), at(0.5), at(0.75), series.back()};
}

std::vector<double> seconds_of(std::span<const timed_run> runs) {
    std::vector<double> seconds;
    for (const timed_run& run : runs)
        seconds.push_back(run.seconds);
    return seconds;
}

std::optional<paired_ratio> ratio_by_rounds(std::span<const timed_run> above, std::span<const timed_run> below) {
    std::vector<double> ratios;
    for (const timed_run& run : above) {
        const auto partner = std::find_if(below.begin(), below.end(),
                                          [&](const timed_run& other) { return other.round == run.round; });
        if (partner != below.end() && partner->seconds > 0)
            ratios.push_back(run.seconds / partner->seconds);
    }
    if (ratios.empty())
        return std::nullopt;
    const auto pairs = static_cast<unsigned>(ratios.size());
    const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
    return paired_ratio{median(ratios), pairs, *least, *most};
}

}  // namespace teff::cli
