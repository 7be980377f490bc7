// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the lines of a text that match a regular expression, with their numbers, in their order.
//
// What to learn: parallel_pipeline, for a stream with parts that must keep their order. The first filter reads blocks
// of lines, one at a time; the second one, which is parallel, searches several blocks at once; the third one prints one
// block at a time, in the order in which the first one has read them. At most 32 blocks are in the pipeline, so a text
// of any length needs little memory.
//
// The blocks are of 64 KiB, since each passage through a filter costs some hundred nanoseconds: a line would be too
// little work. The search must cost more than the reading, or there is nothing to gain.
#include "../arguments.hpp"

#include <teff/parallel_pipeline.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <regex>
#include <string>
#include <string_view>

namespace {

constexpr std::size_t block_bytes = 64 * 1024;

struct block {
    long first_line = 0;
    std::string lines;
};

// The next lines, about block_bytes of them; none at the end of the text. Each ends with a newline.
std::string read_block(std::istream& text) {
    std::string lines(block_bytes, '\0');
    text.read(lines.data(), static_cast<std::streamsize>(lines.size()));
    lines.resize(static_cast<std::size_t>(text.gcount()));
    std::string rest;
    if (!lines.empty() && lines.back() != '\n') {
        std::getline(text, rest);
        lines += rest;
        lines += '\n';
    }
    return lines;
}

// The matching lines of the block, as they are to be printed.
std::string matches(const block& in, const std::regex& pattern) {
    std::string found;
    long number = in.first_line;
    for (std::string_view rest = in.lines; !rest.empty(); ++number) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        if (std::regex_search(line.begin(), line.end(), pattern))
            found.append(std::to_string(number)).append(":").append(line).append("\n");
        rest.remove_prefix(line.size() + 1);
    }
    return found;
}

}  // namespace

int main(int argc, char** argv) {
    arguments given(argc, argv, "search_text PATTERN [FILE]");
    if (argc < 2)
        given.complain("the PATTERN is missing");
    const std::string expression = given.text("");
    const std::string name = given.text("");
    given.end();

    std::regex pattern;
    try {
        pattern.assign(expression);
    } catch (const std::regex_error& error) {
        given.complain("PATTERN '" + expression + "' is not a regular expression: " + error.what());
    }
    std::ifstream file;
    if (!name.empty()) {
        file.open(name);
        if (!file) {
            std::fprintf(stderr, "search_text: %s: %s\n", name.c_str(), std::strerror(errno));
            return 2;
        }
    }
    std::istream& text = name.empty() ? std::cin : file;

    long next_line = 1;
    bool is_found = false;
    teff::parallel_pipeline(
        32,
        [&](teff::flow_control& flow) {
            block read{next_line, read_block(text)};
            if (read.lines.empty())
                flow.stop();
            next_line += std::count(read.lines.begin(), read.lines.end(), '\n');
            return read;
        },
        teff::make_filter(teff::filter_mode::parallel, [&](const block& in) { return matches(in, pattern); }),
        [&](const std::string& found) {
            is_found = is_found || !found.empty();
            std::fwrite(found.data(), 1, found.size(), stdout);
        });
    return is_found ? 0 : 1;
}
