// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts programs; see run_command.hpp.
#include <cli/run/run_command.hpp>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include <teff/depend/names.hpp>
#include <teff/runtime/options.hpp>

#include <cli/output.hpp>
#include <cli/run/obstacles.hpp>
#include <cli/run/program_file.hpp>
#include <cli/run/program_search.hpp>
#include <cli/run/run_environment.hpp>
#include <cli/text.hpp>

namespace teff::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* shell = "/bin/sh";

template <class... Values>
void say(fmt::format_string<Values...> text, Values&&... values) {
    tell("teff run: {}\n", fmt::format(text, std::forward<Values>(values)...));
}

// The value that the flag gives the option, as its variable has it. A number that is too large is cut down, with a
// warning.
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

// Beside the folder of this command, as it is built and as it is installed.
fs::path find_runtime() {
    std::error_code error;
    const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const char* const folder : {"lib", TEFF_LIBRARY_FOLDER}) {
        const fs::path runtime = (here / ".." / folder / "teff/libomp.so.5").lexically_normal();
        if (fs::exists(runtime, error))
            return runtime;
    }
    throw launch_error(launch_error::own_failure,
                       fmt::format("Teff's OpenMP runtime is not in '{}': build Teff with TEFF_BUILD_OPENMP=ON",
                                   (here / ".." / TEFF_LIBRARY_FOLDER / "teff").lexically_normal().string()));
}

std::string search_path() {
    if (const char* const folders = std::getenv("PATH"))
        return folders;
    std::string usual(::confstr(_CS_PATH, nullptr, 0), '\0');
    ::confstr(_CS_PATH, usual.data(), usual.size());
    return usual.c_str();
}

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> result;
    for (std::string& word : words)
        result.push_back(word.data());
    result.push_back(nullptr);
    return result;
}

// Returns only if the program cannot be executed, with the reason in errno.
void become(const fs::path& program, std::vector<std::string> words, std::vector<std::string> environment) {
    const std::vector<char*> variables = pointers(environment);
    ::execve(program.c_str(), pointers(words).data(), variables.data());
    if (errno != ENOEXEC)
        return;
    // Text without #!: shells, and the exec functions that search PATH, let a shell run it.
    words.front() = program.string();
    words.insert(words.begin(), "sh");
    ::execve(shell, pointers(words).data(), variables.data());
}

std::string reason_of(int error, const fs::path& program) {
    if (error != ENOENT)
        return std::generic_category().message(error);
    const program_file file = read_program_file(program);
    return fmt::format("its {} '{}' does not exist", file.kind == program_kind::script ? "interpreter" : "loader",
                       file.kind == program_kind::script ? file.interpreter : file.loader);
}

}  // namespace

CLI::App* add_run_command(CLI::App& app, run_request& request) {
    CLI::App* run = app.add_subcommand("run", "Start a program that uses OpenMP on Teff's OpenMP runtime");
    run->add_option("program", request.program, "The program and its arguments; `--` may stand before it")
        ->type_name("");
    run->add_option("--scheduler", request.scheduler, "The scheduler of its tasks (teff info --schedulers)")
        ->type_name("NAME");
    std::vector<std::string> trackers;
    for (const named_choice& each : tracker_names)
        trackers.emplace_back(each.name);
    run->add_option("--tracker", request.tracker, "The tracker for tasks with `depend`: " + join_words(trackers))
        ->type_name("NAME");
    run->add_option("--threads", request.threads, "The threads of its regions")->type_name("N");
    run->add_flag("--verbose", request.verbose, "Say how it is started, and that the runtime is active");
    return run;
}

int separate_program(const CLI::App& run, int count, const char* const* words, run_request& request) {
    const auto takes_value = [&](std::string_view word) {
        for (const CLI::Option* option : run.get_options())
            if (word == option->get_name() && option->get_items_expected_min() > 0)
                return true;
        return false;
    };
    if (count < 2 || words[1] != run.get_name())
        return count;
    int own = 2;
    while (own < count && words[own][0] == '-' && std::string_view(words[own]) != "--")
        own += takes_value(words[own]) ? 2 : 1;
    if (own >= count)
        return count;
    const int first = std::string_view(words[own]) == "--" ? own + 1 : own;
    request.program.assign(words + first, words + count);
    return own;
}

void run_program(const run_request& request) {
    run_settings settings;
    settings.scheduler = checked_value("scheduler", request.scheduler);
    settings.tracker = checked_value("tracker", request.tracker);
    settings.threads = checked_value("threads", request.threads);
    settings.verbose = request.verbose;
    if (request.program.empty())
        throw launch_error(launch_error::own_failure, "no program is given: write it behind the options, as in "
                                                      "'teff run --threads 4 -- ./program'");
    const fs::path program = find_program(request.program.front(), search_path());
    settings.runtime = find_runtime();

    const findings found = examine(read_loaded_file(program));
    settings.preloads = !found.forbids_preloading;
    if (!found.obstacle.empty())
        say("the program runs without Teff: {}", found.obstacle);
    if (request.verbose) {
        for (const std::string& note : found.notes)
            say("{}", note);
        say("'{}' starts with {} in {}", program.string(), settings.runtime.string(),
            settings.preloads ? "LD_PRELOAD and LD_LIBRARY_PATH" : "LD_LIBRARY_PATH");
    }
    become(program, request.program, environment_of(environ, settings));
    const int error = errno;
    throw launch_error(launch_error::not_executable,
                       fmt::format("'{}' cannot be executed: {}", program.string(), reason_of(error, program)));
}

}  // namespace teff::cli
