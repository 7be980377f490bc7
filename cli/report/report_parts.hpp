// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the sections of the report page are put together from. The text of a cell, and a picture, are markup already.
#pragma once

#include <string>

#include <fmt/format.h>

namespace teff::cli {

inline std::string number_cell(const std::string& text) {
    return fmt::format("<td class=\"number\">{}</td>", text);
}

// Empty without a picture.
inline std::string card(const std::string& title, const std::string& picture) {
    return picture.empty() ? std::string{}
                           : fmt::format("<div class=\"card\"><h3>{}</h3>\n{}</div>\n", title, picture);
}

}  // namespace teff::cli
