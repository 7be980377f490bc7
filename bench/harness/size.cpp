// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See size.hpp.
#include <bench/harness/size.hpp>

#include <charconv>
#include <string_view>

namespace bench {
namespace {

template <class Number> std::string shown(Number value) {
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    return {buffer, end};
}

// Whether the whole text is a number within the range; if so, stores it in `value`.
template <class Number> bool read_number(std::string_view text, Number minimum, Number maximum, Number& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && value >= minimum && value <= maximum;
}

template <class Number>
Number number_size(const kernel_description& kernel, const parameters& p, Number minimum, Number maximum) {
    const std::string text = size_text(kernel, p);
    Number value{};
    if (!read_number(text, minimum, maximum, value))
        throw usage_error("--size " + p.size + ": " + kernel.name + " takes quick, paper or a number from " +
                          shown(minimum) + " to " + shown(maximum));
    return value;
}

}  // namespace

std::string size_text(const kernel_description& kernel, const parameters& p) {
    const std::string prefix = std::string(kernel.name) + ":";
    std::string text = p.size.starts_with(prefix) ? p.size.substr(prefix.size()) : p.size;
    if (text == "quick") return kernel.sizes.quick;
    if (text == "paper") return kernel.sizes.paper;
    return text;
}

std::uint64_t integer_size(const kernel_description& kernel, const parameters& p, std::uint64_t minimum,
                           std::uint64_t maximum) {
    return number_size(kernel, p, minimum, maximum);
}

double real_size(const kernel_description& kernel, const parameters& p, double minimum, double maximum) {
    return number_size(kernel, p, minimum, maximum);
}

std::vector<std::uint64_t> size_numbers(const kernel_description& kernel, const parameters& p,
                                        std::span<const size_part> parts) {
    const std::string all = size_text(kernel, p);
    std::string_view rest = std::string_view(all).substr(0, all.find(','));
    std::vector<std::uint64_t> numbers;
    bool good = true;
    for (const size_part& part : parts) {
        const bool last = numbers.size() + 1 == parts.size();
        const std::size_t end = last ? rest.size() : rest.find('x');
        good = good && end != rest.npos && read_number(rest.substr(0, end), part.minimum, part.maximum,
                                                       numbers.emplace_back());
        if (good) rest.remove_prefix(last ? end : end + 1);
    }
    if (good) return numbers;
    std::string form;
    std::string ranges;
    for (const size_part& part : parts) {
        form += (form.empty() ? "" : "x") + std::string(part.name);
        ranges += std::string(ranges.empty() ? " (" : ", ") + shown(part.minimum) + " to " + shown(part.maximum);
    }
    throw usage_error("--size " + p.size + ": " + kernel.name + " takes quick, paper or " + form + ranges + ")");
}

}  // namespace bench
