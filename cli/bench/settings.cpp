// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the command line; see settings.hpp.
//
// Whether a file can be written is tested by making one beside it, not by modes: read-only file systems, quotas and
// directories each refuse in their own way. An existing file is not changed before the results exist.
#include <cli/bench/settings.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include <teff/depend/names.hpp>
#include <teff/reclaim/names.hpp>
#include <teff/schedulers.hpp>

#include <cli/bench/catalogue.hpp>
#include <cli/output.hpp>
#include <cli/output_file.hpp>
#include <cli/text.hpp>
#include <cli/usage_error.hpp>

namespace teff::cli {

namespace {

constexpr long thread_limit = 4096;
constexpr long most_runs = 10'000;

using strings = std::vector<std::string>;

template <class Table>
strings names_in(const Table& table) {
    strings names;
    for (const auto& row : table)
        names.emplace_back(row.name);
    return names;
}

template <class T>
void add_once(std::vector<T>& values, const T& value) {
    if (std::find(values.begin(), values.end(), value) == values.end())
        values.push_back(value);
}

// The members of a LIST. One that is missing, as in "1,,2", is a slip of the user's, and what was meant is unknown.
strings members(const std::string& option, const std::string& list) {
    const auto blank = [](std::string_view text) { return text.find_first_not_of(" \t") == std::string_view::npos; };
    if (list.find_first_not_of(" \t,") == std::string::npos)
        return {};
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        if (blank(std::string_view(list).substr(begin, end - begin)))
            throw usage_error(fmt::format("{} '{}'", option, list), "a member of the list is missing at a comma",
                              "write the members with one comma between two of them");
        begin = end + 1;
    }
    return split_list(list);
}

// The names in a LIST. Each must be known; `all` stands for every name in that list.
strings choose(const std::string& option, const std::string& list, const strings& known, const strings& all) {
    strings chosen;
    for (const std::string& name : members(option, list)) {
        if (name == "all") {
            for (const std::string& each : all)
                add_once(chosen, each);
        } else if (std::find(known.begin(), known.end(), name) != known.end()) {
            add_once(chosen, name);
        } else {
            throw usage_error(fmt::format("{} '{}'", option, name),
                              fmt::format("there is no such name{}", suggestion(name, known)),
                              fmt::format("use a list of {}, or all", join_words(known)));
        }
    }
    if (chosen.empty())
        throw usage_error(fmt::format("{} '{}'", option, list), "the list is empty",
                          fmt::format("use a list of {}, or all", join_words(known)));
    return chosen;
}

strings choose(const std::string& option, const std::string& list, const strings& known) {
    return choose(option, list, known, known);
}

// The runtimes that `all` stands for.
strings runtimes_of(const std::string& kind) {
    strings names;
    for (const runtime_kind& each : runtime_kinds)
        if (kind == "openmp" ? each.in_openmp : each.only_in == nullptr || kind == each.only_in)
            names.emplace_back(each.name);
    return names;
}

bool has_trackers(const std::string& kind) {
    return kind == "dataflow" || kind == "openmp";
}

void add_thread_count(std::vector<unsigned>& counts, const std::string& text) {
    auto value = parse_integer(text);
    // A number with more digits than fit is above the limit, too.
    if (!value && !text.empty() && text.find_first_not_of("0123456789") == std::string::npos)
        value = std::numeric_limits<long>::max();
    if (!value || *value < 1)
        throw usage_error(fmt::format("--threads '{}'", text), "not a positive whole number",
                          fmt::format("use a list of numbers from 1 to {}, such as 1,2, or all", thread_limit));
    if (*value > thread_limit)
        tell("teff bench: --threads {} becomes {}, the limit\n", text, thread_limit);
    add_once(counts, static_cast<unsigned>(std::min(*value, thread_limit)));
}

std::vector<unsigned> thread_counts(const std::string& list, unsigned default_threads) {
    std::vector<unsigned> counts;
    if (list.empty())
        return {default_threads};
    for (const std::string& text : members("--threads", list)) {
        if (text != "all") {
            add_thread_count(counts, text);
            continue;
        }
        for (unsigned count = 1; count < default_threads; count *= 2)
            add_once(counts, count);
        add_once(counts, default_threads);
    }
    if (counts.empty())
        throw usage_error(fmt::format("--threads '{}'", list), "the list is empty",
                          "use a list of numbers such as 1,2, or all");
    std::sort(counts.begin(), counts.end());
    return counts;
}

std::vector<long> cutoff_list(const std::string& list) {
    std::vector<long> cutoffs;
    for (const std::string& text : members("--cutoff", list)) {
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

std::vector<kernel_choice> kernel_choices(const strings& words, const std::string& size) {
    std::vector<kernel_choice> choices;
    for (const std::string& word : words) {
        const std::size_t colon = word.find(':');
        const kernel_choice choice{word.substr(0, colon), colon == std::string::npos ? size : word.substr(colon + 1)};
        if (choice.name.empty() || choice.size.empty())
            throw usage_error(fmt::format("kernel '{}'", word), "a name or a size is missing",
                              "write KERNEL or KERNEL:SIZE, such as fib or fib:30");
        if (choice.name == "all")
            return {};
        const bool again = std::any_of(choices.begin(), choices.end(), [&](const kernel_choice& other) {
            return other.name == choice.name && other.size == choice.size;
        });
        if (!again)
            choices.push_back(choice);
    }
    return choices;
}

void check_kind(const bench_request& request) {
    if (std::find(std::begin(kernel_kinds), std::end(kernel_kinds), request.kind) == std::end(kernel_kinds))
        throw usage_error(fmt::format("--kind '{}'", request.kind), "there are no kernels of that kind",
                          "use reduce, fork_join, openmp, dataflow, threads or micro");
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

void check_writable(const std::string& option, const std::filesystem::path& file) {
    if (file.empty())
        return;
    if (const file_problem found = problem_with(file.string()))
        throw usage_error(fmt::format("{} '{}'", option, file.string()), found.why, found.remedy);
}

// As above, for a folder in which files will be made, and that may have to be made itself.
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
    settings.threads = thread_counts(request.threads, default_threads);
    settings.thread_range = request.threads.empty() ? thread_counts("all", default_threads) : settings.threads;
    settings.runtimes = choose("--runtime", request.runtimes, names_in(runtime_kinds), runtimes_of(settings.kind));
    settings.compilers =
        choose("--compiler", request.compilers, strings(std::begin(compiler_names), std::end(compiler_names)));
    settings.variants = members("--variant", request.variants);
    if (settings.variants.empty())
        throw usage_error(fmt::format("--variant '{}'", request.variants), "the list is empty",
                          "use a list of variants, or all");
    if (std::find(settings.variants.begin(), settings.variants.end(), "all") != settings.variants.end())
        settings.variants.clear();
    settings.schedulers = choose("--scheduler", request.schedulers, names_in(schedulers()));
    if (has_trackers(settings.kind))
        settings.trackers = choose("--tracker", request.trackers.empty() ? tracker_names[0].name : request.trackers,
                                   names_in(tracker_names));
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
    settings.wide = request.wide;
    settings.json = request.json;
    settings.report = request.report;
    check_writable("--json", settings.json);
    check_writable("--report", settings.report);
    if (!settings.json.empty() && settings.json.lexically_normal() == settings.report.lexically_normal())
        throw usage_error(fmt::format("--report '{}'", request.report), "--json names the same file",
                          "name two files");
    settings.timeline = request.timeline;
    check_folder("--timeline", settings.timeline);
    settings.graph = request.graph;
    check_folder("--graph", settings.graph);
    return settings;
}

}  // namespace teff::cli
