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
#include <teff/options/options.hpp>

#include <cli/output.hpp>
#include <cli/run/launch.hpp>
#include <cli/run/obstacles.hpp>
#include <cli/run/program_file.hpp>
#include <cli/run/run_environment.hpp>
#include <cli/text.hpp>

namespace teff::cli {

namespace {

namespace fs = std::filesystem;

template <class... Values>
void say(fmt::format_string<Values...> text, Values&&... values) {
    tell("teff run: {}\n", fmt::format(text, std::forward<Values>(values)...));
}

}  // namespace

CLI::App* add_run_command(CLI::App& app, run_request& request) {
    CLI::App* run = app.add_subcommand("run", "Start a program that uses OpenMP on Teff's OpenMP runtime");
    add_launch_options(*run, request);
    run->add_option("--threads", request.threads, "The threads of its regions")->type_name("N");
    run->add_flag("--verbose", request.verbose, "Say how it is started, and that the runtime is active");
    return run;
}

int separate_program(const CLI::App& command, int count, const char* const* words, launch_request& request) {
    const auto takes_value = [&](std::string_view word) {
        for (const CLI::Option* option : command.get_options())
            if (option->check_name(std::string(word)) && option->get_items_expected_min() > 0)
                return true;
        return false;
    };
    if (count < 2 || words[1] != command.get_name())
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
    throw not_executed(errno, program);
}

}  // namespace teff::cli
