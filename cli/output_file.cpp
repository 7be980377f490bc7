// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks, writes and reads files, and makes the temporary folder of a record; see output_file.hpp.
#include <cli/output_file.hpp>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include <teff/base/whole_file.hpp>

namespace teff::cli {

namespace {

namespace fs = std::filesystem;

}  // namespace

file_problem problem_with(const std::string& file) {
    return std::make_unique<whole_file>()->find_problem(file.c_str());
}

void write_file(const std::string& file, const std::string& text) {
    const auto place = std::make_unique<whole_file>();
    std::FILE* const stream = place->open(file.c_str());
    if (stream != nullptr) {
        std::fwrite(text.data(), 1, text.size(), stream);
        if (place->close())
            return;
    }
    throw std::runtime_error(fmt::format("'{}' cannot be written: {}; {}", file, place->problem().why,
                                         place->problem().remedy));
}

std::string read_file(const std::string& file) {
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (!stream)
        throw std::runtime_error(
            fmt::format("'{}' cannot be read: {}", file, std::generic_category().message(errno)));
    return text;
}

temporary_record::temporary_record() {
    const fs::path parent = fs::temp_directory_path();
    folder_ = (parent / "teff-XXXXXX").string();
    if (::mkdtemp(folder_.data()) == nullptr)
        throw std::runtime_error(fmt::format("no temporary folder can be made in '{}': {}; name another one in the "
                                             "variable TMPDIR",
                                             parent.string(), std::generic_category().message(errno)));
}

temporary_record::~temporary_record() {
    if (is_kept_)
        return;
    ::unlink(name().c_str());
    ::rmdir(folder_.c_str());
}

std::string temporary_record::text() const { return fs::exists(name()) ? read_file(name()) : std::string{}; }

}  // namespace teff::cli
