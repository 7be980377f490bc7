// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the command line; see settings.hpp.
#include <cli/bench/settings.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <limits>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include <teff/depend/names.hpp>
#include <teff/reclaim/names.hpp>
#include <teff/schedulers.hpp>

#include <cli/bench/catalogue.hpp>
#include <cli/option_values.hpp>
#include <cli/output.hpp>
#include <cli/output_file.hpp>
#include <cli/report/statistics.hpp>
#include <cli/text.hpp>
#include <cli/usage_error.hpp>

namespace teff::cli {

namespace {

constexpr long thread_limit = 4096;
constexpr long most_runs = 10'000;

using strings = std::vector<std::string>;

// The runtimes that `all` means.
strings runtimes_of(const std::string& kind) {
    strings names;
    for (const runtime_kind& each : runtime_kinds)
        if (kind == "openmp" ? each.in_openmp
            : kind == "mpi"  ? each.in_mpi
                             : each.only_in == nullptr || kind == each.only_in)
            names.emplace_back(each.name);
    return names;
}

bool has_trackers(const std::string& kind) {
    return kind == "dataflow" || kind == "openmp";
}

void add_count(std::vector<unsigned>& counts, const std::string& option, const std::string& text) {
    auto value = parse_integer(text);
    // A number with more digits than fit is above the limit, too.
    if (!value && !text.empty() && text.find_first_not_of("0123456789") == std::string::npos)
        value = std::numeric_limits<long>::max();
    if (!value || *value < 1)
        throw usage_error(fmt::format("{} '{}'", option, text), "not a positive whole number",
                          fmt::format("use a list of numbers from 1 to {}, such as 1,2, or all", thread_limit));
    if (*value > thread_limit)
        tell("teff bench: {} {} becomes {}, the limit\n", option, text, thread_limit);
    add_once(counts, static_cast<unsigned>(std::min(*value, thread_limit)));
}

// A LIST of numbers of threads or of ranks; `all` means 1, 2, 4, ... up to `most`.
std::vector<unsigned> counts_of(const std::string& option, const std::string& list, unsigned most) {
    std::vector<unsigned> counts;
    for (const std::string& text : list_members(option, list)) {
        if (text != "all") {
            add_count(counts, option, text);
            continue;
        }
        for (const unsigned count : doubling_up_to(most))
            add_once(counts, count);
    }
    if (counts.empty())
        throw usage_error(fmt::format("{} '{}'", option, list), "the list is empty",
                          "use a list of numbers such as 1,2, or all");
    std::sort(counts.begin(), counts.end());
    return counts;
}

std::vector<unsigned> thread_counts(const std::string& list, unsigned default_threads) {
    return list.empty() ? std::vector<unsigned>{default_threads} : counts_of("--threads", list, default_threads);
}

std::vector<long> cutoff_list(const std::string& list) {
    std::vector<long> cutoffs;
    for (const std::string& text : list_members("--cutoff", list)) {
        const auto value = parse_integer(text);
        if (!value || *value < 0)
            throw usage_error(fmt::format("--cutoff '{}'", text), "not a whole number from 0 up",
                              "use a list of sizes below which a task is not split, such as 8 or 2,8,32, or leave "
                              "--cutoff out");
        add_once(cutoffs, *value);
    }
    if (cutoffs.empty() && !list.empty())
        throw usage_error(fmt::format("--cutoff '{}'", list), "the list is empty",
                          "use a list of numbers such as 2,8,32, or leave --cutoff out");
    std::sort(cutoffs.begin(), cutoffs.end());
    return cutoffs;
}

void check_kind(const bench_request& request) {
    if (std::find(std::begin(kernel_kinds), std::end(kernel_kinds), request.kind) == std::end(kernel_kinds))
        throw usage_error(fmt::format("--kind '{}'", request.kind), "there are no kernels of that kind",
                          "use reduce, fork_join, openmp, dataflow, threads, mpi or micro");
    if (request.kind != "mpi" && !request.ranks.empty())
        throw usage_error(fmt::format("--ranks '{}'", request.ranks),
                          fmt::format("kernels of kind {} run in one process", request.kind),
                          "add --kind mpi, or leave --ranks out");
    if (request.kind == "mpi" && request.hardware_counters)
        throw usage_error("--hardware-counters",
                          "the processor's counters are those of one process, and kernels of kind mpi have several",
                          "leave it out, or use --counters");
    if (request.kind == "mpi" && !request.timeline.empty())
        throw usage_error(fmt::format("--timeline '{}'", request.timeline),
                          "a timeline is that of one process, and kernels of kind mpi have several",
                          "leave it out, or use --kind reduce");
    if (!has_trackers(request.kind) && !request.trackers.empty() && request.trackers != "all")
        throw usage_error(fmt::format("--tracker '{}'", request.trackers),
                          fmt::format("kernels of kind {} declare no accesses, so no tracker runs", request.kind),
                          "leave --tracker out");
    if (request.kind != "dataflow" && !request.graph.empty())
        throw usage_error(fmt::format("--graph '{}'", request.graph),
                          fmt::format("kernels of kind {} declare no accesses, so they have no task graph",
                                      request.kind),
                          "add --kind dataflow, or leave --graph out");
}

void check_input(const bench_request& request, const bench_settings& settings) {
    if (request.input.empty())
        return;
    if (settings.kernels.size() != 1)
        throw usage_error(fmt::format("--input '{}'", request.input), "a file is the input of one kernel",
                          "name that kernel, such as: teff bench knapsack --input FILE");
    if (::access(request.input.c_str(), R_OK) != 0 || std::filesystem::is_directory(request.input))
        throw usage_error(
            fmt::format("--input '{}'", request.input),
            std::filesystem::is_directory(request.input) ? "it is a folder" : std::generic_category().message(errno),
            "name a file that exists and can be read");
}

// As check_writable(), for a folder in which files will be made, and that may have to be made itself.
void check_folder(const std::string& option, const std::filesystem::path& folder) {
    if (folder.empty())
        return;
    std::error_code error;
    const bool is_made = std::filesystem::create_directory(folder, error);
    // Whatever the name, if nothing has it.
    const file_problem found = error ? file_problem{} : problem_with((folder / ".teff-record").string());
    const std::string reason = error ? error.message() : found ? found.why : "";
    if (is_made)
        std::filesystem::remove(folder, error);
    if (!reason.empty())
        throw usage_error(fmt::format("{} '{}'", option, folder.string()), reason,
                          "name a folder in which files can be written; its parent must exist");
}

unsigned run_count(const std::string& text) {
    const auto runs = parse_integer(text);
    if (!runs || *runs < 1 || *runs > most_runs)
        throw usage_error(fmt::format("--runs '{}'", text), fmt::format("not a whole number from 1 to {}", most_runs),
                          "use a small odd number such as 5");
    return static_cast<unsigned>(*runs);
}

}  // namespace

double bench_settings::limit_for(const std::string& kernel_size) const {
    if (limit_seconds)
        return *limit_seconds;
    return kernel_size == "quick" ? 10 : 60;
}

bench_settings check(const bench_request& request, unsigned default_threads) {
    check_kind(request);
    bench_settings settings;
    settings.kind = request.kind;
    if (std::find(std::begin(bench_sizes), std::end(bench_sizes), request.size) == std::end(bench_sizes))
        throw usage_error(fmt::format("--size '{}'", request.size), "it is neither quick nor paper",
                          "use quick or paper, or a kernel's own size as KERNEL:SIZE, such as fib:30");
    settings.size = request.size;
    settings.kernels = kernel_choices(request.kernels, request.size);
    settings.input = request.input;
    check_input(request, settings);
    settings.cutoffs = cutoff_list(request.cutoff);
    const bool has_ranks = settings.kind == "mpi";
    settings.threads = thread_counts(request.threads, has_ranks ? 1 : default_threads);
    settings.processors = default_threads;
    if (has_ranks)
        settings.ranks = counts_of("--ranks", request.ranks.empty() ? "1,2" : request.ranks, default_threads);
    settings.thread_range = request.threads.empty() ? thread_counts("all", default_threads) : settings.threads;
    settings.runtimes = choose("--runtime", request.runtimes, names_in(runtime_kinds), runtimes_of(settings.kind));
    settings.compilers =
        choose("--compiler", request.compilers, strings(std::begin(compiler_names), std::end(compiler_names)));
    settings.variants = list_members("--variant", request.variants);
    if (settings.variants.empty())
        throw usage_error(fmt::format("--variant '{}'", request.variants), "the list is empty",
                          "use a list of variants, or all");
    if (std::find(settings.variants.begin(), settings.variants.end(), "all") != settings.variants.end())
        settings.variants.clear();
    settings.schedulers = choose("--scheduler", request.schedulers, names_in(schedulers()));
    if (has_trackers(settings.kind))
        settings.trackers = choose("--tracker", request.trackers.empty() ? tracker_choices[0].name : request.trackers,
                                   names_in(tracker_choices), names_in(tracker_names));
    settings.reclaimers = choose("--reclaimer", request.reclaimers, names_in(reclaimer_names));
    settings.runs = run_count(request.runs);
    if (!request.limit.empty()) {
        settings.limit_seconds = parse_number(request.limit);
        if (!settings.limit_seconds || *settings.limit_seconds <= 0)
            throw usage_error(fmt::format("--limit '{}'", request.limit), "not a positive number of seconds",
                              "use a number such as 10 or 0.5");
    }
    settings.counters = request.counters;
    settings.hardware_counters = request.hardware_counters;
    settings.rank_sum = request.rank_sum;
    if (settings.rank_sum && settings.runs < fewest_for_rank_sum)
        throw usage_error(fmt::format("--rank-sum with --runs {}", settings.runs),
                          "no difference is significant in so few runs",
                          fmt::format("use --runs {} or more; the papers have 30", fewest_for_rank_sum));
    settings.wide = request.wide;
    settings.json = request.json;
    settings.report = request.report;
    check_results(settings.json, settings.report);
    settings.timeline = request.timeline;
    check_folder("--timeline", settings.timeline);
    settings.graph = request.graph;
    check_folder("--graph", settings.graph);
    return settings;
}

}  // namespace teff::cli
