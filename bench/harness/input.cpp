// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See input.hpp.
#include <bench/harness/input.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

namespace bench {
namespace {

constexpr std::string_view white_space = " \t\r\n";

template <class Number> bool parse(const std::string& word, Number minimum, Number maximum, Number& value) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc() && end == word.data() + word.size() && value >= minimum && value <= maximum;
}

}  // namespace

std::string read_file(const std::string& path) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "r"), std::fclose);
    if (!file) throw usage_error("--input " + path + ": " + std::strerror(errno));
    std::string text;
    char block[4096];
    for (std::size_t count; (count = std::fread(block, 1, sizeof block, file.get())) != 0;) text.append(block, count);
    if (std::ferror(file.get())) throw usage_error("--input " + path + ": cannot be read");
    return text;
}

void input_reader::skip_space() {
    position_ = std::min(text_.find_first_not_of(white_space, position_), text_.size());
}

bool input_reader::at_end() {
    skip_space();
    return position_ == text_.size();
}

std::string input_reader::word(const char* what) {
    skip_space();
    const std::size_t end = std::min(text_.find_first_of(white_space, position_), text_.size());
    std::string found = text_.substr(position_, end - position_);
    if (found.empty()) fail(what, "the end of the file");
    position_ = end;
    return found;
}

long input_reader::integer(const char* what, long minimum, long maximum) {
    const std::string found = word(what);
    long value = 0;
    if (!parse(found, minimum, maximum, value)) fail(what, found);
    return value;
}

double input_reader::real(const char* what, double minimum, double maximum) {
    const std::string found = word(what);
    double value = 0;
    if (!parse(found, minimum, maximum, value)) fail(what, found);
    return value;
}

std::string input_reader::line() {
    const std::size_t end = std::min(text_.find('\n', position_), text_.size());
    std::string found = text_.substr(position_, end - position_);
    if (found.ends_with('\r')) found.pop_back();
    position_ = std::min(end + 1, text_.size());
    return found;
}

void input_reader::fail(const char* what, const std::string& found) const {
    throw usage_error("--input " + path_ + ": expected " + what + ", found " + found);
}

}  // namespace bench
