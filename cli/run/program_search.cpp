// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search for programs; see program_search.hpp.
#include <cli/run/program_search.hpp>

#include <cerrno>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace teff::cli {

namespace {

namespace fs = std::filesystem;

// 0 if this file can be executed; otherwise the error number that execve() would give.
int execution_error(const fs::path& file) {
    struct stat facts{};
    if (::stat(file.c_str(), &facts) != 0)
        return errno;
    if (S_ISDIR(facts.st_mode))
        return EISDIR;
    // eaccess() checks the rights of the effective user, as execve() does.
    return ::eaccess(file.c_str(), X_OK) == 0 ? 0 : errno;
}

[[noreturn]] void refuse(const fs::path& file, int error) {
    const bool is_missing = error == ENOENT || error == ENOTDIR;
    throw launch_error(is_missing ? launch_error::not_found : launch_error::not_executable,
                       fmt::format("'{}' cannot be started: {}", file.string(),
                                   error == EISDIR ? "it is a folder" : std::generic_category().message(error)));
}

}  // namespace

fs::path find_program(const std::string& name, const std::string& folders) {
    if (name.find('/') != std::string::npos) {
        if (const int error = execution_error(name); error != 0)
            refuse(name, error);
        return name;
    }
    // As in a shell, the search continues after a file that may not be executed, and remembers it for the message.
    fs::path refused;
    int refused_error = 0;
    std::error_code ignored;
    for (std::string_view rest = folders;;) {
        const std::size_t end = rest.find(':');
        const std::string_view folder = rest.substr(0, end);
        const fs::path file = fs::path(folder.empty() ? "." : folder) / name;
        const int error = name.empty() ? ENOENT : execution_error(file);
        if (error == 0)
            return file;
        if (refused_error == 0 && error == EACCES && fs::is_regular_file(file, ignored)) {
            refused = file;
            refused_error = error;
        }
        if (end == std::string_view::npos)
            break;
        rest.remove_prefix(end + 1);
    }
    if (refused_error != 0)
        refuse(refused, refused_error);
    throw launch_error(
        launch_error::not_found,
        fmt::format("'{}' is not found in the folders of PATH: write its path if it is elsewhere", name));
}

}  // namespace teff::cli
