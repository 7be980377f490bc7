// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `teff bench` from its options to its output; see bench_command.hpp.
//
// Results go to standard output; progress and messages go to standard error. JSON and report are written even if an
// answer was wrong: the failed configuration is listed among the skipped ones, and the other results may explain it.
// They are also written if the measurement was interrupted, or if standard output takes no tables.
#include <cli/bench/bench_command.hpp>

#include <csignal>

#include <fmt/format.h>
#include <unistd.h>

#include <teff/options/options.hpp>

#include <cli/bench/catalogue.hpp>
#include <cli/bench/child_process.hpp>
#include <cli/bench/machine_facts.hpp>
#include <cli/bench/plan.hpp>
#include <cli/bench/progress_line.hpp>
#include <cli/bench/recorded_runs.hpp>
#include <cli/bench/rounds.hpp>
#include <cli/output.hpp>
#include <cli/output_file.hpp>
#include <cli/report/comparison.hpp>
#include <cli/report/hardware_counts.hpp>
#include <cli/report/page/report_html.hpp>
#include <cli/report/results.hpp>
#include <cli/report/table.hpp>
#include <cli/text.hpp>
#include <cli/usage_error.hpp>

namespace teff::cli {

namespace {

constexpr int status_good = 0;
constexpr int status_failed = 1;

void print_beside_peers(const measurements& results, const std::vector<comparison>& comparisons, table_width width) {
    const std::string& kind = results.rows.front().what.kind;
    if (kind == "openmp" || kind == "threads") {
        if (const std::string beside = named_table(results.rows, comparisons, width); !beside.empty())
            print("\n{}\n\n{}",
                  kind == "openmp" ? "Teff's OpenMP runtime beside the others (/libgomp, /libomp, /libiomp5: the "
                                     "same program)"
                                   : "Teff's fibers beside the others (/pthread: std::thread, /boost-fiber: the "
                                     "fibers of Boost, /go: goroutines)",
                  beside);
    } else if (const std::string beside = peer_table(results.rows, comparisons, width); !beside.empty()) {
        print("\nteff beside the best peer\n\n{}", beside);
    }
}

void print_rows(const measurements& results, const std::vector<comparison>& comparisons, table_width width) {
    print("\n{}", main_table(results.rows, comparisons, width));
    print("\nTimes are wall-clock seconds of the run alone; /serial is the ratio to the serial recursion of "
          "the same compiler,\n/best peer to the fastest other runtime with as many threads: medians of the "
          "ratios within rounds, below 1 is faster.\n");
    if (results.rows.front().what.kind == "mpi")
        print("The workers of all ranks count as threads here, but no more of them than there are processors: 4 ranks "
              "on 2\nprocessors stand beside 2 threads. /process is the ratio to teff in one process. CPU is how busy "
              "the least and\nthe most busy rank kept a processor, and MiB the most memory of any rank.\n");
    print_beside_peers(results, comparisons, width);
    if (const std::string sweep = sweep_table(results.rows, width); !sweep.empty())
        print("\nmedian seconds by cut-off\n\n{}", sweep);
}

void print_micro_rows(const measurements& results, const std::vector<comparison>& comparisons,
                      const presentations& shown, table_width width) {
    print("\n{}", micro_tables(results.rows, comparisons, shown, width));
    if (results.rows.front().what.kind == "openmp") {
        print("\nNanoseconds of one construct beyond what is inside it: medians of the runs. /best peer is the "
              "ratio of the times of one\nconstruct, nothing subtracted, to the fastest other runtime with as "
              "many threads: the median of the ratios within rounds.\n");
        print_beside_peers(results, comparisons, width);
        return;
    }
    print("\nTimes are wall-clock seconds of the run alone; what stands behind them is the median of the runs. "
          "/serial and\n/best peer are ratios of the times to the version without threads, and to the fastest "
          "other runtime with as\nmany threads: medians of the ratios within rounds, below 1 is faster.\n");
    if (results.rows.front().what.kind == "threads")
        print_beside_peers(results, comparisons, width);
}

void print_results(const measurements& results, const presentations& shown, table_width width) {
    if (!results.rows.empty()) {
        if (const measurements programs = results.part(false); !programs.rows.empty())
            print_rows(programs, compare(programs.rows), width);
        if (const measurements measured = results.part(true); !measured.rows.empty())
            print_micro_rows(measured, compare(measured.rows), shown, width);
        if (const std::string pairs = rank_sum_table(results, width); !pairs.empty())
            print("\nWilcoxon's rank sum test, two-sided: W is in how many pairs of runs the first takes longer; they "
                  "differ if p is below {}.\nOne pair in {:.0f} that do not differ is expected to have such a p.\n\n{}",
                  significance_level, 1 / significance_level, pairs);
        if (const std::string counters = counter_list(results.rows); !counters.empty())
            print("\ncounters of the last run\n{}", counters);
        if (const std::string workers = worker_table(results.rows, width); !workers.empty())
            print("\nTeff's workers in the last run (worker 0 is the calling thread)\n{}", workers);
        if (const std::string counts = hardware_table(results.rows, width); !counts.empty())
            print("\nhardware counters of the last run (all threads in the timed region; the processor's in user "
                  "mode)\n{}",
                  counts);
    }
    if (!results.skipped.empty())
        print("\nskipped\n{}", skip_list(results.skipped));
    flush_output();
    for (const std::string& sentence : missing_hardware_counts(results.rows))
        tell("teff bench: --hardware-counters: {}\n", sentence);
    for (const std::string& sentence : unequal_work(results.rows))
        tell("teff bench: {}\n", sentence);
}

void tell_missing(const catalogue& found) {
    for (const missing_runtime& missing : found.missing)
        tell("teff bench: {}: {}\n", missing.runtime, missing.reason);
}

// The names of all kernels, for the help. The runners are asked, since they alone know.
std::string kernel_list() {
    std::vector<std::string> runtimes;
    for (const runtime_kind& each : runtime_kinds)
        runtimes.emplace_back(each.name);
    const catalogue found = find_runners(runner_folders::beside_this_program(), runtimes,
                                         {std::begin(compiler_names), std::end(compiler_names)});
    std::string text;
    for (const char* kind : kernel_kinds) {
        std::string line;
        for (const std::string& name : found.kernel_names(kind)) {
            // Wrapped as the options above are.
            const std::size_t begin = line.rfind('\n') == std::string::npos ? 0 : line.rfind('\n') + 1;
            line += line.empty()                                ? fmt::format("  {:<11}", kind)
                    : line.size() - begin + name.size() > 78 ? std::string(",\n") + std::string(13, ' ')
                                                                : ", ";
            line += name;
        }
        text += line.empty() ? line : line + "\n";
    }
    return text.empty() ? "Kernels: this help lists them when benchmark programs are installed beside the command.\n"
                        : "Kernels by kind:\n" + text;
}

void write_results(const bench_settings& settings, const measurements& results, const presentations& shown,
                   const nlohmann::ordered_json& machine) {
    if (!settings.json.empty()) {
        write_file(settings.json.string(), json_text(results_json(machine, results), 1) + "\n");
        tell("teff bench: results written to {}\n", settings.json.string());
    }
    if (!settings.report.empty()) {
        write_file(settings.report.string(), report_html(machine, results, shown));
        tell("teff bench: report written to {}\n", settings.report.string());
    }
}

}  // namespace

CLI::App* add_bench_command(CLI::App& app, bench_request& request) {
    CLI::App* bench = app.add_subcommand("bench", "Run the same work on every task runtime and compare the times");
    bench->add_option("kernel", request.kernels, "KERNEL or KERNEL:SIZE, such as fib or fib:30; none: every kernel");
    bench->add_option("--kind", request.kind,
                      "Which kernels: reduce, reductions over tasks; fork_join, tasks that wait; openmp, the same "
                      "program on several OpenMP runtimes; dataflow, tasks that declare accesses; threads, fibers; "
                      "mpi, ranks beside one process; or micro")
        ->capture_default_str();
    bench->add_option("--size", request.size, "quick (under a second for serial) or paper")->capture_default_str();
    bench->add_option("--input", request.input, "An input file in place of the generated input of one kernel");
    bench->add_option("--cutoff", request.cutoff,
                      "LIST of sizes below which a task is not split further; several make a plot");
    bench->add_option("--threads", request.threads, "LIST of thread counts; default: one per CPU that may be used");
    bench->add_option("--ranks", request.ranks,
                      "LIST of numbers of ranks, for kind mpi, where --threads are the workers of each rank; default: "
                      "1,2, with 1 worker");
    bench
        ->add_option("--runtime", request.runtimes,
                     "LIST of serial, pthread, teff, teff-mpi, mpi, starpu-mpi, libgomp, libomp, libiomp5, tbb, "
                     "boost-fiber, go, starpu")
        ->capture_default_str();
    bench->add_option("--compiler", request.compilers, "LIST of gcc, clang, go")->capture_default_str();
    bench
        ->add_option("--variant", request.variants,
                     "LIST of nowait, wait, shared, recursive, stack, and what micro-benchmarks have")
        ->capture_default_str();
    bench->add_option("--scheduler", request.schedulers, "LIST of Teff's schedulers; `teff info --schedulers`")
        ->capture_default_str();
    bench->add_option("--tracker", request.trackers, "LIST of trackers, for kind dataflow; default: tickets");
    bench->add_option("--reclaimer", request.reclaimers, "LIST of reclaimers, for schedulers that share nodes")
        ->capture_default_str();
    bench->add_option("--runs", request.runs, "Measured runs of each configuration")->capture_default_str();
    bench->add_option("--limit", request.limit, "Seconds after which a run is stopped; default: 10 for quick, else 60");
    bench->add_flag("--counters", request.counters,
                    "Show what the system, and Teff's workers, counted in the last run of each");
    bench->add_flag("--hardware-counters", request.hardware_counters,
                    "Show what the processor counted in the last run of each: cycles, cache misses and others");
    bench->add_flag("--rank-sum", request.rank_sum,
                    "Test each two configurations of the same work, threads and compiler for a difference of their "
                    "times (Wilcoxon's rank sum test); needs --runs 4 or more");
    bench->add_option("--json", request.json, "Write all results to this file");
    bench->add_option("--report", request.report, "Write a page with tables and plots to this file");
    bench->add_option("--timeline", request.timeline,
                      "Run each configuration of Teff once more, and draw in this folder what its threads did");
    bench->add_option("--graph", request.graph,
                      "Run each configuration of Teff once more, and draw its task graph in this folder; for kind "
                      "dataflow");
    bench->add_flag("--wide", request.wide, "Show all columns, also those for which the terminal has no room");
    for (CLI::Option* option : bench->get_options())
        if (option->get_name().starts_with("--") && option->get_expected_max() == 1)
            option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    bench->footer(kernel_list);
    bench->footer("A LIST is separated by commas; `all` stands for every member.\n"
                  "Ctrl-C ends the measurement; what has been measured is shown, and written as partial results.\n"
                  "Exit status: 0 (also with skips), 1 on a wrong answer, a broken runner or output that cannot be\n"
                  "written, 2 on bad usage.");
    return bench;
}

int run_bench(const bench_request& request, const std::string& command_line) {
    const bench_settings settings = check(request, thread_count(process_configuration()));
    if (const auto reason = why_no_output())
        throw usage_error("standard output cannot be written", *reason, "send it to a file that takes the tables");
    const runner_folders folders = runner_folders::beside_this_program();
    const catalogue found = find_runners(folders, settings.runtimes, settings.compilers);
    if (found.runners.empty()) {
        tell_missing(found);
        tell("teff bench: nothing to run: no benchmark runner in {} or {}; build or install them (`make "
                     "install-bench`), or choose other runtimes or compilers\n",
             folders.runners.front().string(), folders.runners.back().lexically_normal().string());
        return status_failed;
    }
    plan planned = make_plan(settings, found);
    tell_missing(found);
    const auto pace = set_pace(planned, found);
    const bool writes_files = !settings.json.empty() || !settings.report.empty();
    // Asked before the measurement, since no program can be asked after an interruption.
    nlohmann::ordered_json machine;
    if (writes_files) {
        machine = machine_facts(found, command_line);
        if (pace)
            machine["delay_iterations_per_microsecond"] = *pace;
    }
    // A reader of the tables that has gone (as `head` does) must not keep the files from being written.
    (void)std::signal(SIGPIPE, SIG_IGN);
    defer_ending_signals();
    progress_line line(settings.runs);
    const run_function run = [&](const planned_run& what) { return run_once(what, settings, found); };
    measurements results = measure(planned, settings.runs, run, line.progress_to_tell());
    line.finish();
    if (!settings.timeline.empty())
        record_timelines(results, planned, settings, found);
    if (!settings.graph.empty())
        record_task_graphs(results, planned, settings, found);
    if (settings.rank_sum)
        test_rank_sums(results);
    const presentations shown = found.all_presentations();
    print_results(results, shown, settings.wide ? std::nullopt : terminal_width(STDOUT_FILENO));
    if (results.partial)
        tell("teff bench: interrupted: the results are partial; {} of {} configurations have runs\n",
             results.rows.size(), planned.runs.size());
    if (writes_files)
        write_results(settings, results, shown, machine);
    if (results.failed)
        tell("teff bench: failed: a run gave a wrong answer or broke down; see the skipped ones\n");
    if (is_signal_deferred()) {
        (void)finish_output(status_good);
        end_by_deferred_signal();
    }
    return results.failed ? status_failed : status_good;
}

}  // namespace teff::cli
