// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parser of synthetic descriptions.
#include <teff/machine/synthetic_shape.hpp>

#include <teff/machine/text.hpp>

#include <cstddef>

namespace teff {
namespace {

constexpr bool separates(char character) noexcept { return is_blank(character) || character == ','; }

// Cuts the next word off `rest`. Returns an empty view if there is none left.
std::string_view take_word(std::string_view& rest) noexcept {
    while (!rest.empty() && separates(rest.front()))
        rest.remove_prefix(1);
    std::size_t length = 0;
    while (length < rest.size() && !separates(rest[length]))
        ++length;
    const std::string_view word(rest.data(), length);
    rest.remove_prefix(length);
    return word;
}

int* part_named(synthetic_shape& shape, std::string_view name) noexcept {
    if (name == "sockets")
        return &shape.sockets;
    if (name == "cores")
        return &shape.cores;
    if (name == "threads")
        return &shape.threads;
    if (name == "numa")
        return &shape.numa;
    return nullptr;
}

}  // namespace

std::optional<synthetic_shape> parse_synthetic_shape(std::string_view text) noexcept {
    if (text.size() > max_synthetic_text)
        return std::nullopt;
    synthetic_shape shape{0, 0, 0, 0};
    bool any = false;
    for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
        int* const part = part_named(shape, take_until(word, ':'));
        const auto count = parse_number(word);
        if (part == nullptr || *part != 0 || !count || *count < 1 || *count > max_topology_cpus)
            return std::nullopt;
        *part = static_cast<int>(*count);
        any = true;
    }
    if (!any)
        return std::nullopt;
    long cpus = 1;
    for (int* const part : {&shape.sockets, &shape.cores, &shape.threads}) {
        if (*part == 0)
            *part = 1;
        cpus *= *part;
    }
    if (shape.numa == 0)
        shape.numa = 1;
    if (cpus > max_topology_cpus || shape.cores % shape.numa != 0)
        return std::nullopt;
    return shape;
}

}  // namespace teff
