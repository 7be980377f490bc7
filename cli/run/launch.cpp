// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starting a program: its options, the search for Teff's OpenMP runtime, and execve(); see launch.hpp.
#include <cli/run/launch.hpp>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <teff/depend/names.hpp>
#include <teff/options/options.hpp>

#include <cli/run/program_file.hpp>
#include <cli/text.hpp>

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

namespace {

namespace fs = std::filesystem;

constexpr const char* shell = "/bin/sh";

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> result;
    for (std::string& word : words)
        result.push_back(word.data());
    result.push_back(nullptr);
    return result;
}

std::string reason_of(int error, const fs::path& program) {
    if (error != ENOENT)
        return std::generic_category().message(error);
    const program_file file = read_program_file(program);
    return fmt::format("its {} '{}' does not exist", file.kind == program_kind::script ? "interpreter" : "loader",
                       file.kind == program_kind::script ? file.interpreter : file.loader);
}

}  // namespace

void add_launch_options(CLI::App& command, launch_request& request) {
    command.add_option("program", request.program, "The program and its arguments; `--` may stand before it")
        ->type_name("");
    command.add_option("--scheduler", request.scheduler, "The scheduler of its tasks (teff info --schedulers)")
        ->type_name("NAME");
    std::vector<std::string> trackers;
    for (const named_choice& each : tracker_names)
        trackers.emplace_back(each.name);
    command.add_option("--tracker", request.tracker, "The tracker for tasks with `depend`: " + join_words(trackers))
        ->type_name("NAME");
}

std::string checked_value(option which, const std::optional<std::string>& written) {
    if (!written)
        return {};
    teff::configuration settings;
    std::array<char, option_message_size> error;
    if (!settings.set(which, *written, origin::flag, error.data(), error.size()))
        throw launch_error(launch_error::own_failure, error.data());
    std::array<char, 32> storage;
    return std::string(settings.display(which, storage));
}

fs::path find_runtime() {
    std::error_code error;
    const fs::path program_folder = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const char* const folder : {"lib", TEFF_LIBRARY_FOLDER}) {
        const fs::path runtime = (program_folder / ".." / folder / "teff/libomp.so.5").lexically_normal();
        if (fs::exists(runtime, error))
            return runtime;
    }
    throw launch_error(launch_error::own_failure,
                       fmt::format("Teff's OpenMP runtime is not in '{}': build Teff with TEFF_BUILD_OPENMP=ON",
                                   (program_folder / ".." / TEFF_LIBRARY_FOLDER / "teff").lexically_normal().string()));
}

std::string search_path() {
    if (const char* const folders = std::getenv("PATH"))
        return folders;
    std::string usual(::confstr(_CS_PATH, nullptr, 0), '\0');
    ::confstr(_CS_PATH, usual.data(), usual.size());
    return usual.c_str();
}

void become(const fs::path& program, std::vector<std::string> words, std::vector<std::string> environment) {
    const std::vector<char*> variables = pointers(environment);
    ::execve(program.c_str(), pointers(words).data(), variables.data());
    if (errno != ENOEXEC)
        return;
    // A text file without `#!`: as shells and the exec functions that search PATH do, this lets a shell run it.
    words.front() = program.string();
    words.insert(words.begin(), "sh");
    ::execve(shell, pointers(words).data(), variables.data());
}

launch_error not_executed(int error, const fs::path& program) {
    return {launch_error::not_executable,
            fmt::format("'{}' cannot be executed: {}", program.string(), reason_of(error, program))};
}

}  // namespace teff::cli
