// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks for the width of the terminal; see terminal.hpp.
#include <cli/terminal.hpp>

#include <cstdlib>

#include <sys/ioctl.h>
#include <unistd.h>

#include <cli/text.hpp>

namespace teff::cli {

std::optional<unsigned> terminal_width(int descriptor) {
    constexpr unsigned usual_width = 80;
    constexpr long greatest_width = 10'000;
    if (::isatty(descriptor) != 1)
        return std::nullopt;
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    const char* const told = std::getenv("COLUMNS");
    const auto wished = told == nullptr ? std::nullopt : parse_integer(told);
    return wished && *wished > 0 && *wished <= greatest_width ? static_cast<unsigned>(*wished) : usual_width;
}

}  // namespace teff::cli
