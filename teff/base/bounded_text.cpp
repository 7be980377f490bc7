// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers and quoted values for messages.
#include <teff/base/bounded_text.hpp>

#include <teff/base/escaped_text.hpp>

#include <array>
#include <charconv>

namespace teff {

bounded_text& bounded_text::add(long number) noexcept {
    std::array<char, 24> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    return add(std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
}

bounded_text& bounded_text::show(std::string_view text) noexcept {
    escape_terminal(text, [this](std::string_view piece) noexcept { add(piece); });
    return *this;
}

bounded_text& bounded_text::quote(std::string_view value) noexcept {
    constexpr std::size_t most = 60;
    add('\'').show(cut_utf8(value, most));
    return add(value.size() > most ? std::string_view("...'") : std::string_view("'"));
}

}  // namespace teff
