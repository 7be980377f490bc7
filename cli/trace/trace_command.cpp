// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command `teff trace`; see trace_command.hpp.
//
// The program writes its record to a temporary file. Its name is short enough for the option and does not depend on the
// program's working folder. If the command cannot write or show the record afterwards, it keeps the temporary file: the
// program may have run for hours.
#include <cli/trace/trace_command.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cli/output.hpp>
#include <cli/output_file.hpp>
#include <cli/report/trace/trace_file.hpp>
#include <cli/report/trace/trace_report.hpp>
#include <cli/run/launch.hpp>
#include <cli/run/obstacles.hpp>
#include <cli/run/program_file.hpp>
#include <cli/run/run_environment.hpp>

namespace teff::cli {

namespace {

// Read by the handler.
volatile std::sig_atomic_t traced_process = 0;

void pass_on(int signal_number) {
    if (traced_process != 0)
        ::kill(static_cast<pid_t>(traced_process), signal_number);
}

// From construction to destruction the command ignores some signals and passes others on.
class outlives_signals {
public:
    outlives_signals() {
        for (std::size_t place = 0; place < signals.size(); ++place) {
            struct sigaction ours = {};
            const bool is_ignored = signals[place] == SIGINT || signals[place] == SIGQUIT;
            ours.sa_handler = is_ignored ? SIG_IGN : &pass_on;
            ::sigaction(signals[place], &ours, &before_[place]);
            // A signal that this process ignores (nohup) stays ignored.
            if (before_[place].sa_handler == SIG_IGN)
                ::sigaction(signals[place], &before_[place], nullptr);
        }
    }
    ~outlives_signals() { restore(); }
    outlives_signals(const outlives_signals&) = delete;
    outlives_signals& operator=(const outlives_signals&) = delete;

    // For the child, too.
    void restore() const {
        for (std::size_t place = 0; place < signals.size(); ++place)
            ::sigaction(signals[place], &before_[place], nullptr);
    }

private:
    static constexpr std::array signals = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    std::array<struct sigaction, signals.size()> before_{};
};

[[noreturn]] void fail(const char* what) {
    throw launch_error(launch_error::own_failure, fmt::format("{}: {}", what, std::generic_category().message(errno)));
}

// Runs a program on this command's terminal, from start to end, while the command waits for it.
//
// The program is in the process group of the command, so it reads from the terminal and gets Ctrl-C as if it had been
// started from the shell. The command itself outlives SIGINT and SIGQUIT meanwhile, to show what was recorded, and
// passes SIGTERM and SIGHUP on.
//
// As a shell shows it, returns the exit status, or 128 + N after signal N. Throws launch_error if the program cannot be
// executed. One thread at a time. The child tells by a pipe that the exec has failed; the exec closes it.
int run_to_its_end(const std::filesystem::path& program, const std::vector<std::string>& words,
                   const std::vector<std::string>& environment) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        fail("no pipe can be made");
    const outlives_signals scope;
    const pid_t child = ::fork();
    if (child < 0)
        fail("no process can be made");
    if (child == 0) {
        scope.restore();
        become(program, words, environment);
        const int error = errno;
        (void)!::write(ends[1], &error, sizeof error);
        ::_exit(launch_error::not_executable);
    }
    traced_process = child;
    ::close(ends[1]);
    int error = 0;
    ssize_t count = 0;
    do
        count = ::read(ends[0], &error, sizeof error);
    while (count < 0 && errno == EINTR);
    ::close(ends[0]);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    traced_process = 0;
    if (count == sizeof error)
        throw not_executed(error, program);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

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
