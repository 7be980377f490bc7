// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimates the time of the remaining runs; see time_left.hpp.
#include <cli/bench/time_left.hpp>

#include <cmath>

#include <fmt/format.h>

namespace teff::cli {

std::optional<double> seconds_left(const std::vector<remaining_runs>& all) {
    double known = 0, sum = 0;
    unsigned unknown_runs = 0, measured = 0;
    for (const remaining_runs& each : all) {
        if (each.last_seconds) {
            known += each.count * *each.last_seconds;
            sum += *each.last_seconds;
            ++measured;
        } else {
            unknown_runs += each.count;
        }
    }
    if (measured == 0)
        return std::nullopt;
    return known + unknown_runs * sum / measured;
}

std::string rough_duration(double seconds) {
    constexpr double minute = 60, hour = 3600;
    if (seconds < 1.5 * minute)
        return fmt::format("{:.0f} s", std::ceil(seconds));
    if (seconds < 1.5 * hour)
        return fmt::format("{:.0f} min", std::ceil(seconds / minute));
    const auto minutes = static_cast<long>(std::ceil(seconds / minute / 10)) * 10;
    return minutes % 60 == 0 ? fmt::format("{} h", minutes / 60)
                             : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

}  // namespace teff::cli
