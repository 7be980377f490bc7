// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text operations of the command; see text.hpp.
//
// nearest() prefers a name that begins with the written text ("floor" suggests floorplan, however many letters are
// missing). Otherwise it returns the nearest name, as the runtime's option parser finds it (nearest_name).
#include <cli/text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include <teff/base/names.hpp>

namespace teff::cli {

namespace {

std::string_view trimmed(std::string_view text) {
    const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
    while (!text.empty() && is_blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back()))
        text.remove_suffix(1);
    return text;
}

}  // namespace

std::vector<std::string> split_list(std::string_view text, char separator) {
    std::vector<std::string> parts;
    while (true) {
        const std::size_t end = text.find(separator);
        const std::string_view part = trimmed(text.substr(0, end));
        if (!part.empty())
            parts.emplace_back(part);
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

std::string join_words(std::span<const std::string> words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0)
            text += i + 1 == words.size() ? " and " : ", ";
        text += words[i];
    }
    return text;
}

std::optional<long> parse_integer(std::string_view text) {
    long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::optional<double> parse_number(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates) {
    for (const std::string& candidate : candidates)
        if (name.size() >= 2 && candidate.starts_with(name))
            return candidate;
    std::optional<std::string> best;
    nearest_name search(name);
    for (const std::string& candidate : candidates)
        if (search.offer(candidate))
            best = candidate;
    return best;
}

std::string suggestion(std::string_view name, std::span<const std::string> candidates) {
    const auto found = nearest(name, candidates);
    return found ? fmt::format(" (did you mean '{}'?)", *found) : std::string{};
}

std::string first_line(std::string_view text) {
    text = trimmed(text);
    return std::string{trimmed(text.substr(0, text.find('\n')))};
}

std::string format_bytes(std::uint64_t bytes) {
    constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < units.size()) {
        value /= 1024;
        ++unit;
    }
    return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, units[unit]);
}

std::string number_text(double value) {
    return std::abs(value) >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

std::string format_seconds(double seconds) {
    if (seconds >= 1 || seconds <= 0)
        return fmt::format("{:.4g} s", seconds);
    if (seconds >= 1e-3)
        return fmt::format("{:.4g} ms", seconds * 1e3);
    if (seconds >= 1e-6)
        return fmt::format("{:.4g} us", seconds * 1e6);
    return fmt::format("{:.4g} ns", seconds * 1e9);
}

}  // namespace teff::cli
