// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `teff simulate` from its options to its output; see simulate_command.hpp.
//
// Results go to standard output; progress and messages go to standard error. JSON and page are written even if a
// simulation failed or all were interrupted.
#include <cli/simulate/simulate_command.hpp>

#include <algorithm>
#include <csignal>
#include <exception>

#include <fmt/format.h>
#include <unistd.h>

#include <teff/machine.hpp>

#include <cli/output.hpp>
#include <cli/output_file.hpp>
#include <cli/report/results.hpp>
#include <cli/shown_text.hpp>
#include <cli/simulate/simulated.hpp>
#include <cli/simulate/simulation_report.hpp>
#include <cli/usage_error.hpp>

namespace teff::cli {

namespace {

// For the help. The simulator is asked, since it alone knows.
std::string simulated_kernel_list() {
    try {
        const simulator_program simulator = find_simulator();
        std::string text = "Kernels and their faces:\n";
        for (const std::string& name : simulator.kernel_names()) {
            std::string faces;
            for (const simulated_kernel& each : simulator.kernels)
                if (each.name == name)
                    faces += fmt::format("{}{} ({}: {})", faces.empty() ? "" : ", ", each.face, each.size_is,
                                         each.usual_size);
            text += fmt::format("  {:<14}{}\n", name, faces);
        }
        return text;
    } catch (const std::exception&) {
        return "Kernels: this help lists them when teff_simulator is beside the command.\n";
    }
}

// One line on a terminal that is overwritten; what was skipped has a line of its own everywhere.
class simulation_progress {
public:
    void operator()(std::size_t done, std::size_t total, const simulation& what, const std::string* skipped) const {
        if (is_terminal_)
            steer_terminal(erase_line);
        if (skipped != nullptr)
            tell("teff simulate: skipped: {}: {}\n", what.text(), *skipped);
        if (is_terminal_ && done < total)
            tell("{}", cut_to(terminal_text(fmt::format("[{}/{}] {}", done, total, what.text())),
                              terminal_width(STDERR_FILENO).value_or(80) - 1, ""));
    }

private:
    static constexpr const char* erase_line = "\r\x1b[K";
    bool is_terminal_ = ::isatty(STDERR_FILENO) == 1;
};

void print_simulations(const simulate_settings& settings, const simulations& results) {
    const auto width = settings.wide ? std::nullopt : terminal_width(STDOUT_FILENO);
    unsigned most_threads = 1;
    for (const auto& rows : by_program(results.rows)) {
        print("\n{}", simulation_table(rows, width));
        if (const std::string lines = line_table(rows, width); !lines.empty())
            print("\n{}", lines);
        most_threads = std::max(most_threads, most_simulated_threads(rows));
    }
    if (!results.rows.empty())
        print("\n{}", simulated_sentence(settings.on, most_threads, settings));
    if (!results.skipped.empty())
        print("\nskipped\n{}", skipped_list(results.skipped));
    flush_output();
}

void write_simulations(const simulate_settings& settings, const simulations& results, const std::string& command_line) {
    if (!settings.json.empty()) {
        write_file(settings.json.string(), json_text(simulations_json(settings, results), 1) + "\n");
        tell("teff simulate: results written to {}\n", settings.json.string());
    }
    if (!settings.report.empty()) {
        write_file(settings.report.string(), simulation_page(settings, results, command_line));
        tell("teff simulate: report written to {}\n", settings.report.string());
    }
}

}  // namespace

CLI::App* add_simulate_command(CLI::App& app, simulate_request& request) {
    CLI::App* simulate =
        app.add_subcommand("simulate", "Run the library itself on a simulated machine of many processors");
    simulate->add_option("kernel", request.kernels,
                         "KERNEL or KERNEL:SIZE, such as fib or fib:24; none: every kernel");
    simulate->add_option("--face", request.faces, "LIST of the library's faces that a kernel may use")
        ->capture_default_str();
    simulate
        ->add_option("--machine", request.machine,
                     "SOCKETSxCORES or SOCKETSxCORESxTHREADS, such as 8x24x2, or FILE.json with the costs, too")
        ->capture_default_str();
    simulate->add_option("--scheduler", request.schedulers, "LIST of Teff's schedulers; `teff info --schedulers`")
        ->capture_default_str();
    simulate
        ->add_option("--threads", request.threads,
                     "LIST of thread counts; all: 1, 2, 4 and so on up to the processors of the machine")
        ->capture_default_str();
    simulate->add_option("--tracker", request.trackers,
                         fmt::format("LIST of trackers, for the face dataflow; default: {}", default_tracker));
    simulate
        ->add_option("--seed", request.seed,
                     "Of the small differences between runs; the same seed gives the same result")
        ->capture_default_str();
    simulate->add_option("--runs", request.runs, "Runs in each simulation, whose mean is shown")->capture_default_str();
    simulate->add_option("--limit", request.limit, "Seconds, of real time, after which a simulation is stopped")
        ->capture_default_str();
    simulate
        ->add_option("--lines", request.lines,
                     "Show so many places of the program that make most cache lines move, with the most threads")
        ->capture_default_str();
    simulate->add_option("--jobs", request.jobs,
                         "How many simulations run at once; default: one per CPU that may be used");
    simulate->add_option("--json", request.json, "Write all results to this file");
    simulate->add_option("--report", request.report, "Write a page with tables and plots to this file");
    simulate->add_flag("--wide", request.wide, "Show all columns, also those for which the terminal has no room");
    for (CLI::Option* option : simulate->get_options())
        if (option->get_name().starts_with("--") && option->get_expected_max() == 1)
            option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    simulate->footer([] {
        return simulated_kernel_list() +
               "A LIST is separated by commas; `all` stands for every member.\n"
               "Exit status: 0 (also with skips), 1 when a simulation failed or output cannot be written, 2 on bad "
               "usage.";
    });
    return simulate;
}

int run_simulate(const simulate_request& request, const std::string& command_line) {
    const simulate_settings settings = check_simulation(request, default_thread_count());
    if (const auto reason = why_no_output())
        throw usage_error("standard output cannot be written", *reason, "send it to a file that takes the tables");
    const simulator_program simulator = find_simulator();
    const std::vector<simulation> planned = plan_simulations(settings, simulator);
    // A reader of the tables that has gone (as `head` does) must not keep the files from being written.
    (void)std::signal(SIGPIPE, SIG_IGN);
    defer_ending_signals();
    const simulations results = run_simulations(planned, settings, simulator, simulation_progress());
    print_simulations(settings, results);
    if (results.partial)
        tell("teff simulate: interrupted: the results are partial; {} of {} simulations have a row\n",
             results.rows.size(), planned.size());
    write_simulations(settings, results, command_line);
    if (results.failed)
        tell("teff simulate: failed: a simulation had a wrong result or could not end; see the skipped ones\n");
    if (is_signal_deferred()) {
        (void)finish_output(0);
        end_by_deferred_signal();
    }
    return results.failed ? 1 : 0;
}

}  // namespace teff::cli
