// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Medians, paired ratios and the rank sum test; see statistics.hpp.
//
// Series are short, so pairs are found by linear search, or all are looked at, and each series is sorted as a whole.
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

namespace {

// Up to this size of both series the distribution of W is counted out, unless values are equal.
constexpr std::size_t most_counted = 30;

// In how many orders of the values of both series each W occurs (Mann and Whitney's recurrence): the greatest value is
// one of the first series, and greater than all of the second, or one of the second. The numbers are exact up to 2^53
// and rounded beyond that; as they are only added, the errors stay far below what is shown.
std::vector<double> orders_by_w(std::size_t first, std::size_t second) {
    // By the number of values of the first series, with as many of the second as the outer loop has reached.
    std::vector<std::vector<double>> orders(first + 1, std::vector<double>(first * second + 1));
    for (std::vector<double>& each : orders)
        each[0] = 1;
    for (std::size_t others = 1; others <= second; ++others)
        for (std::size_t count = 1; count <= first; ++count)
            for (std::size_t w = others; w <= count * others; ++w)
                orders[count][w] += orders[count - 1][w - others];
    return orders[first];
}

double counted_p(double w, std::size_t first, std::size_t second) {
    const std::vector<double> orders = orders_by_w(first, second);
    const auto found = static_cast<std::size_t>(w);
    double below = 0, above = 0, all = 0;
    for (std::size_t i = 0; i < orders.size(); ++i) {
        all += orders[i];
        below += i <= found ? orders[i] : 0;
        above += i >= found ? orders[i] : 0;
    }
    return std::min(1.0, 2 * std::min(below, above) / all);
}

// `ties`: the sum of t^3 - t over the sets of t equal values.
double approximate_p(double w, double first, double second, double ties) {
    const double all = first + second;
    const double variance = first * second / 12 * (all + 1 - ties / (all * (all - 1)));
    if (variance <= 0)
        return 1;
    const double distance = std::max(0.0, std::abs(w - first * second / 2) - 0.5);
    return std::erfc(distance / std::sqrt(2 * variance));
}

}  // namespace

rank_sum rank_sum_test(std::span<const double> first, std::span<const double> second) {
    if (first.empty() || second.empty())
        throw std::invalid_argument("rank sum of an empty series");
    rank_sum result;
    for (const double one : first)
        for (const double other : second)
            result.w += one > other ? 1 : one == other ? 0.5 : 0;
    std::vector<double> all(first.begin(), first.end());
    all.insert(all.end(), second.begin(), second.end());
    std::sort(all.begin(), all.end());
    double ties = 0;
    for (auto begin = all.begin(); begin != all.end();) {
        const auto end = std::upper_bound(begin, all.end(), *begin);
        const auto equal = static_cast<double>(end - begin);
        ties += equal * equal * equal - equal;
        begin = end;
    }
    if (ties == 0 && first.size() <= most_counted && second.size() <= most_counted)
        result.p = counted_p(result.w, first.size(), second.size());
    else
        result.p = approximate_p(result.w, static_cast<double>(first.size()), static_cast<double>(second.size()), ties);
    return result;
}

}  // namespace teff::cli
