// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the description of the machine and its prices; see machine.hpp.
#include <simulator/machine.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace simulator {
namespace {

constexpr std::array<std::pair<std::string_view, double costs::*>, 12> names{{
    {"access", &costs::access},
    {"modify", &costs::modify},
    {"fence", &costs::fence},
    {"near_line", &costs::near_line},
    {"far_line", &costs::far_line},
    {"shared_line", &costs::shared_line},
    {"memory_line", &costs::memory_line},
    {"pause", &costs::pause},
    {"system_call", &costs::system_call},
    {"wake", &costs::wake},
    {"wake_delay", &costs::wake_delay},
    {"heavy_fence", &costs::heavy_fence},
}};

}  // namespace

std::optional<machine> machine::parse(std::string_view text) noexcept {
    std::array<unsigned, 3> numbers{1, 1, 1};
    const char* at = text.data();
    const char* const end = at + text.size();
    unsigned count = 0;
    for (bool more = true; more;) {
        if (count == numbers.size())
            return std::nullopt;
        const auto [after, error] = std::from_chars(at, end, numbers[count]);
        if (error != std::errc() || numbers[count] == 0 || numbers[count] > max_processors)
            return std::nullopt;
        ++count;
        more = after != end;
        if (more && *after != 'x')
            return std::nullopt;
        at = after + 1;
    }
    const machine made(numbers[0], numbers[1], numbers[2]);
    if (count < 2 || made.cores() > max_cores || made.processors() > max_processors)
        return std::nullopt;
    return made;
}

std::string machine::name() const {
    std::string made = std::to_string(sockets_) + 'x' + std::to_string(cores_);
    return threads_ == 1 ? made : made + 'x' + std::to_string(threads_);
}

bool machine::set(std::string_view name, double value) noexcept {
    if (!std::isfinite(value) || value < 0)
        return false;
    constexpr double largest_kib = 1 << 24;
    if (name == "smt") {
        smt_slowdown_ = value;
        return true;
    }
    if (name == "private_kib" || name == "shared_kib") {
        (name == "private_kib" ? private_kib_ : shared_kib_) = value <= largest_kib ? value : 0;
        return value <= largest_kib;
    }
    for (const auto& [known, which] : names) {
        if (known == name) {
            costs_.*which = value;
            return true;
        }
    }
    return false;
}

std::vector<std::pair<std::string_view, double>> machine::prices_by_name() const {
    std::vector<std::pair<std::string_view, double>> all;
    for (const auto& [name, which] : names)
        all.emplace_back(name, costs_.*which);
    all.emplace_back("smt", smt_slowdown_);
    all.emplace_back("private_kib", private_kib_);
    all.emplace_back("shared_kib", shared_kib_);
    return all;
}

}  // namespace simulator
