// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See size.hpp.
#include <bench/harness/size.hpp>

#include <charconv>

namespace bench {
namespace {

template <class Number> std::string shown(Number value) {
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    return {buffer, end};
}

template <class Number>
Number number_size(const kernel_description& kernel, const parameters& p, Number minimum, Number maximum) {
    const std::string text = size_text(kernel, p);
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= minimum && value <= maximum))
        throw usage_error("--size " + p.size + ": " + kernel.name + " takes quick, paper or a number from " +
                          shown(minimum) + " to " + shown(maximum));
    return value;
}

}  // namespace

std::string size_text(const kernel_description& kernel, const parameters& p) {
    const std::string prefix = std::string(kernel.name) + ":";
    std::string text = p.size.starts_with(prefix) ? p.size.substr(prefix.size()) : p.size;
    if (text == "quick") return kernel.quick;
    if (text == "paper") return kernel.paper;
    return text;
}

std::uint64_t integer_size(const kernel_description& kernel, const parameters& p, std::uint64_t minimum,
                           std::uint64_t maximum) {
    return number_size(kernel, p, minimum, maximum);
}

double real_size(const kernel_description& kernel, const parameters& p, double minimum, double maximum) {
    return number_size(kernel, p, minimum, maximum);
}

}  // namespace bench
