// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command `teff`: reads the command line, calls one subcommand, turns failures into a message and an exit status.
//
// Exit status: 0 success; 1 the work failed (a wrong answer, a broken installation, output that cannot be written);
// 2 bad usage, with one message on standard error that says what is wrong, why, and how to correct it. Complaints of
// the option parser are brought into the same form, with the nearest option or command that exists. `teff run` becomes
// another program, and `teff trace` ends as one did, so their own failures have statuses that programs seldom use,
// those of env(1) (cli/run/launch.hpp).
#include <exception>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <teff/version.hpp>

#include <cli/bench/bench_command.hpp>
#include <cli/complete/completion.hpp>
#include <cli/graph/graph_command.hpp>
#include <cli/info/info_command.hpp>
#include <cli/output.hpp>
#include <cli/run/launch.hpp>
#include <cli/run/run_command.hpp>
#include <cli/simulate/simulate_command.hpp>
#include <cli/text.hpp>
#include <cli/trace/trace_command.hpp>
#include <cli/usage_error.hpp>

namespace {

using namespace teff::cli;

constexpr int status_good = 0;
constexpr int status_failed = 1;
constexpr int status_usage = 2;

constexpr const char* version_text = "teff " TEFF_VERSION_STRING;

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
    return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    return names;
}

const CLI::App& deepest_command(const CLI::App& app) {
    const auto chosen = app.get_subcommands();
    return chosen.empty() ? app : *chosen.front();
}

int usage_status(const CLI::App& app) {
    const std::string& name = deepest_command(app).get_name();
    return name == "run" || name == "trace" ? launch_error::own_failure : status_usage;
}

// "teff bench: unknown option '--thread' (did you mean '--threads'?); see teff bench --help"
void complain(const CLI::App& app, const std::string& problem) {
    const CLI::App& command = deepest_command(app);
    const std::string name = &command == &app ? "teff" : "teff " + command.get_name();
    tell("{}: {}; see {} --help\n", name, problem, name);
}

int answer_parse_error(const CLI::App& app, const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
        // --help and --version print themselves.
        std::ostringstream text;
        app.exit(error, text);
        print("{}", text.str());
        return status_good;
    }
    complain(app, first_line(error.what()));
    return usage_status(app);
}

int answer_unknown_words(const CLI::App& app, const std::vector<std::string>& words) {
    const std::string& word = words.front();
    const bool is_option = word.starts_with("-");
    const auto known = is_option ? option_names(deepest_command(app)) : command_names(app);
    const std::string name = word.substr(0, word.find('='));
    complain(app, fmt::format("unknown {} '{}'{}", is_option ? "option" : "command", name, suggestion(name, known)));
    return usage_status(app);
}

// `teff help` is `teff --help`, and `teff help bench` is `teff bench --help`.
std::vector<char*> without_help_command(int argument_count, char** arguments) {
    static char help_option[] = "--help";
    std::vector<char*> words(arguments, arguments + argument_count);
    if (argument_count < 2 || std::string_view(arguments[1]) != "help")
        return words;
    words.erase(words.begin() + 1);
    words.push_back(help_option);
    return words;
}

int run(int argument_count, char** arguments) {
    CLI::App app{"Teff: a runtime for the smallest tasks. This command measures and describes it, and runs "
                 "OpenMP programs on it.", "teff"};
    app.set_version_flag("-V,--version", version_text, "Print the version and exit");
    app.set_help_flag("-h,--help", "Print this help and exit");
    bench_request bench_options;
    info_request info_options;
    graph_request graph_options;
    run_request run_options;
    trace_request trace_options;
    simulate_request simulate_options;
    const CLI::App* bench = add_bench_command(app, bench_options);
    const CLI::App* info = add_info_command(app, info_options);
    const CLI::App* graph = add_graph_command(app, graph_options);
    const CLI::App* launch = add_run_command(app, run_options);
    const CLI::App* trace = add_trace_command(app, trace_options);
    const CLI::App* simulate = add_simulate_command(app, simulate_options);
    app.add_subcommand("help", "Explain a command and its options: 'teff help bench'; without a command, list all");
    const CLI::App* version = app.add_subcommand("version", "Print the version");
    app.footer("'teff help COMMAND' and 'teff COMMAND --help' explain a command.");
    // Not a command of the parser: its words are unfinished.
    if (argument_count > 1 && arguments[1] == std::string_view("complete"))
        return run_complete(app, std::vector<std::string>(arguments + 2, arguments + argument_count));
    // The parser collects unknown words instead of refusing them: it cannot suggest the nearest name, but we can.
    app.allow_extras();
    for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        command->allow_extras();
    try {
        const int own = separate_program(*launch, argument_count, arguments, run_options);
        app.parse(separate_program(*trace, own, arguments, trace_options), arguments);
    } catch (const CLI::ParseError& error) {
        // A command that does not exist has no help.
        if (const auto unknown = app.remaining(); app.get_subcommands().empty() && !unknown.empty())
            return answer_unknown_words(app, unknown);
        return answer_parse_error(app, error);
    }
    if (const auto unknown = app.remaining(true); !unknown.empty())
        return answer_unknown_words(app, unknown);
    if (bench->parsed())
        return run_bench(bench_options, "teff " + joined({arguments + 1, arguments + argument_count}));
    if (info->parsed())
        return run_info(info_options);
    if (graph->parsed())
        return run_graph(graph_options);
    if (launch->parsed())
        run_program(run_options);
    if (trace->parsed())
        return run_trace(trace_options);
    if (simulate->parsed())
        return run_simulate(simulate_options, "teff " + joined({arguments + 1, arguments + argument_count}));
    if (version->parsed()) {
        print("{}\n", version_text);
        return status_good;
    }
    tell("{}", app.help());
    return status_usage;
}

}  // namespace

int main(int argument_count, char** arguments) {
    occupy_closed_streams();
    const std::string command = argument_count > 1 ? std::string("teff ") + arguments[1] : "teff";
    try {
        std::vector<char*> words = without_help_command(argument_count, arguments);
        return finish_output(run(static_cast<int>(words.size()), words.data()));
    } catch (const launch_error& error) {
        tell("{}: {}\n", command, error.what());
        return finish_output(error.status());
    } catch (const usage_error& error) {
        tell("{}: {}\n", command, error.what());
        return finish_output(status_usage);
    } catch (const std::exception& error) {
        tell("{}: {}\n", command, error.what());
        return finish_output(status_failed);
    }
}
