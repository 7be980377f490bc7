// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command `teff trace`; see trace_command.hpp.
//
// The program writes its record to a temporary file. Its name is short enough for the option and does not depend on the
// program's working folder. If the command cannot write or show the record afterwards, it keeps the temporary file: the
// program may have run for hours.
#include <cli/trace/trace_command.hpp>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include <cli/output.hpp>
#include <cli/output_file.hpp>
#include <cli/report/trace_file.hpp>
#include <cli/report/trace_html.hpp>
#include <cli/report/trace_summary.hpp>
#include <cli/run/obstacles.hpp>
#include <cli/run/program_file.hpp>
#include <cli/run/program_search.hpp>
#include <cli/run/run_environment.hpp>
#include <cli/terminal.hpp>
#include <cli/trace/traced_program.hpp>

namespace teff::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* usual_output = "trace.json";

[[noreturn]] void refuse_to_trace(const std::string& text) { throw launch_error(launch_error::own_failure, text); }

// Called before the program runs, so that a bad path is not reported only hours later.
void check_place_of_output(const char* option, const std::string& file) {
    if (file.empty())
        return;
    if (const file_problem found = problem_with(file))
        refuse_to_trace(fmt::format("{}: '{}' cannot be written: {}; {}", option, file, found.why, found.remedy));
}

void write_output(const char* option, const std::string& file, const std::string& text) {
    try {
        write_file(file, text);
    } catch (const std::runtime_error& error) {
        refuse_to_trace(fmt::format("{}: {}", option, error.what()));
    }
}

std::string text_of_record(const std::string& file) {
    try {
        return read_file(file);
    } catch (const std::runtime_error& error) {
        refuse_to_trace(error.what());
    }
}

// Whether the program uses Teff's own interface and no OpenMP. Then it needs no OpenMP runtime.
bool uses_teff_alone(const program_file& file) {
    const auto asks_for = [&](std::string_view part) {
        return std::any_of(file.needed.begin(), file.needed.end(),
                           [&](const std::string& each) { return each.starts_with(part); });
    };
    return asks_for("libteff") && !asks_for("libgomp") && !asks_for("libomp") && !asks_for("libiomp");
}

run_settings trace_settings_of(const trace_request& request, const program_file& loaded) {
    run_settings settings;
    settings.scheduler = checked_value("scheduler", request.scheduler);
    settings.tracker = checked_value("tracker", request.tracker);
    settings.threads = checked_value("threads", request.threads);
    settings.trace_events = checked_value("trace_events", request.events);
    if (uses_teff_alone(loaded))
        return settings;
    try {
        settings.runtime = find_runtime();
        settings.preloads = !examine(loaded).forbids_preloading;
    } catch (const launch_error&) {
        // A build without the OpenMP runtime can still trace programs that use Teff's own interface.
    }
    return settings;
}

void show_trace(const trace_request& request, const std::string& text, const std::string& name) {
    std::optional<recorded_trace> seen;
    try {
        seen = read_trace(text);
    } catch (const std::runtime_error& error) {
        refuse_to_trace(fmt::format("'{}' cannot be shown: {}", name, error.what()));
    }
    const bool is_read = !request.read.empty();
    const auto width = request.wide ? std::nullopt : terminal_width(is_read ? STDOUT_FILENO : STDERR_FILENO);
    const std::string summary = trace_summary(*seen, width);
    if (!is_read)
        tell("{}", summary);
    else
        print("{}", summary);
    if (request.html.empty())
        return;
    write_output("--html", request.html, trace_page(*seen));
    tell("teff trace: the page is in '{}'\n", request.html);
}

}  // namespace

CLI::App* add_trace_command(CLI::App& app, trace_request& request) {
    CLI::App* trace = app.add_subcommand("trace", "Run a program and show what its threads did when");
    add_launch_options(*trace, request);
    trace->add_option("--threads", request.threads, "The threads that work together")->type_name("N");
    trace->add_option("-o,--output", request.output,
                      "Write the record to this file, for ui.perfetto.dev or chrome://tracing; trace.json if neither "
                      "--html nor --summary is given")
        ->type_name("FILE");
    trace->add_option("--html", request.html, "Write one page to this file that shows the record in any browser")
        ->type_name("FILE");
    trace->add_flag("--summary", request.summary_only, "Only show the summary, and keep no record");
    trace->add_flag("--wide", request.wide, "On a terminal: show all columns and whole names");
    trace->add_option("--events", request.events, "How many tasks, labels, searches and sleeps are recorded at most")
        ->type_name("N");
    trace->add_option("--read", request.read, "Run no program, but show a record that was written before")
        ->type_name("FILE");
    return trace;
}

int run_trace(const trace_request& request) {
    if (!request.read.empty()) {
        if (!request.program.empty())
            refuse_to_trace("--read and a program are given: a record is either read or made");
        check_place_of_output("--html", request.html);
        show_trace(request, text_of_record(request.read), request.read);
        return 0;
    }
    if (request.program.empty())
        refuse_to_trace("no program is given: write it behind the options, as in 'teff trace --threads 4 -- "
                        "./program'");
    if (request.summary_only && !request.output.empty())
        refuse_to_trace("--summary and -o are given: the former keeps no record");
    const fs::path program = find_program(request.program.front(), search_path());
    const program_file loaded = read_loaded_file(program);
    run_settings settings = trace_settings_of(request, loaded);
    const std::string output =
        request.output.empty() && request.html.empty() && !request.summary_only ? usual_output : request.output;
    check_place_of_output("-o", output);
    check_place_of_output("--html", request.html);

    temporary_record record;
    settings.trace = record.name();
    const int status = run_to_its_end(program, request.program, environment_of(environ, settings));
    std::string place = record.name();
    try {
        const std::string text = record.text();
        if (text.empty()) {
            const std::string obstacle = settings.runtime.empty() ? std::string{} : examine(loaded).obstacle;
            tell("teff trace: there is no record: the program has not used Teff, or has not ended by exit(){}\n",
                 obstacle.empty() ? obstacle : "; it cannot use Teff's OpenMP runtime: " + obstacle);
            return status == 0 ? launch_error::own_failure : status;
        }
        if (!output.empty()) {
            write_output("-o", output, text);
            place = output;
        }
        show_trace(request, text, place);
    } catch (const std::exception& error) {
        // The command reports the failure but returns the program's exit status, which the caller needs.
        tell("teff trace: {}\n", error.what());
        if (place == record.name()) {
            record.keep();
            tell("teff trace: the record is in '{}': 'teff trace --read' shows it\n", place);
            return status;
        }
    }
    if (!output.empty())
        tell("teff trace: the record is in '{}': open it in https://ui.perfetto.dev or chrome://tracing\n", output);
    return status;
}

}  // namespace teff::cli
