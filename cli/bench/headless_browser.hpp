// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: a page as a browser shows it.
#pragma once

#include <filesystem>
#include <string>

#include <fmt/format.h>

#include <cli/bench/child_process.hpp>

namespace teff::cli {

// nullptr: there is none.
inline const char* chromium() {
    for (const char* name : {"/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"})
        if (std::filesystem::exists(name))
            return name;
    return nullptr;
}

struct window_shape {
    unsigned width, height;  // in pixels
    bool is_dark;
};

// The output is the page's elements after its scripts have run. The browser keeps its files beside the page.
// chromium() must have found one.
inline child_result show(const std::filesystem::path& page, const window_shape& in) {
    child_request request;
    request.program = chromium();
    request.arguments = {"--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                         "--user-data-dir=" + (page.parent_path() / "profile").string(),
                         fmt::format("--window-size={},{}", in.width, in.height),
                         fmt::format("--blink-settings=preferredColorScheme={}", in.is_dark ? 0 : 1),
                         "--virtual-time-budget=2000", "--dump-dom", "file://" + page.string()};
    request.limit_seconds = 120;
    return run_child(request);
}

// The text that a script of the page has written into its last element `verdict`.
inline std::string verdict_of(const child_result& shown) {
    const std::string begin = "<pre id=\"verdict\">";
    const std::size_t place = shown.output.rfind(begin);
    if (place == std::string::npos)
        return "no verdict: " + shown.errors;
    const std::size_t text = place + begin.size();
    return shown.output.substr(text, shown.output.find("</pre>", text) - text);
}

}  // namespace teff::cli
