// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From settings and runners to configurations; see plan.hpp.
//
// A runner is asked about a size once per kernel, variant and scheduler, with the greatest number of threads. It is
// asked for each scheduler since their memory differs: a FIFO queue holds more tasks than a stack. A runner refuses a
// size that it cannot read, with exit status 2 and a message, which is passed on as the user's mistake. Any other
// failure to answer only means that the memory is unknown; the run itself will then show whether it fits.
#include <cli/bench/plan.hpp>

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <teff/schedulers.hpp>

#include <cli/bench/kernel_choices.hpp>
#include <cli/text.hpp>
#include <cli/usage_error.hpp>

namespace teff::cli {

namespace {

constexpr int status_usage = 2;

// The sizes that the requested size means. `quick` and `paper` may be lists, but only for kernels with measures and for
// those of kinds openmp and mpi.
std::vector<std::string> sizes_of(const kernel_entry& kernel, const std::string& asked) {
    if (kernel.shown.headline.empty() && kernel.kind != "openmp" && kernel.kind != "mpi")
        return {asked};
    const auto named = kernel.sizes.find(asked);
    std::vector<std::string> sizes = split_list(named == kernel.sizes.end() ? asked : named->second);
    return sizes.empty() ? std::vector<std::string>{asked} : sizes;
}

// "use quick (40), paper (40), or another size of that form"
std::string sizes_remedy(const kernel_entry* kernel) {
    std::string remedy;
    for (const char* name : {"quick", "paper"}) {
        remedy += fmt::format("{}{}", remedy.empty() ? "use " : ", ", name);
        if (kernel != nullptr && kernel->sizes.contains(name))
            remedy += fmt::format(" ({})", kernel->sizes.at(name));
    }
    return remedy + ", or another size of that form";
}

// The memory that a run needs; 0 if unknown. Throws usage_error for a size that the kernel does not have.
std::uint64_t ask_memory(const runner& runner, const planned_run& what, const bench_settings& settings) {
    std::vector<std::string> arguments = runner_arguments(what, settings);
    arguments.emplace_back("--describe");
    const child_result result = run_child(request_for(runner, std::move(arguments), describe_limit_seconds));
    if (result.ending != child_ending::exited)
        return 0;
    if (result.code == status_usage) {
        const std::string asked = settings.input.empty() ? fmt::format("{}:{}", what.kernel, what.size)
                                                         : fmt::format("--input '{}'", settings.input.string());
        throw usage_error(asked, fmt::format("the kernel refuses it ({})", first_line(result.errors)),
                          sizes_remedy(find_kernel(runner, what.kernel, what.kind)));
    }
    const auto answer = nlohmann::json::parse(result.output, nullptr, false);
    if (!answer.is_object() || !answer.contains("memory_bytes") || !answer["memory_bytes"].is_number())
        return 0;
    return answer["memory_bytes"].get<std::uint64_t>();
}

// Takes the cut-off off a size of kind openmp: 38@20 becomes 38. Those of --cutoff replace it.
std::vector<std::optional<long>> take_cutoffs(std::string& size, const bench_settings& settings) {
    std::vector<std::optional<long>> cutoffs(settings.cutoffs.begin(), settings.cutoffs.end());
    const std::size_t at = settings.kind == "openmp" ? size.find('@') : std::string::npos;
    if (at != std::string::npos && cutoffs.empty()) {
        const auto own = parse_integer(size.substr(at + 1));
        if (!own || *own < 0)
            throw usage_error(fmt::format("size '{}'", size), "after the @ is no whole number from 0 up",
                              "write SIZE@CUTOFF, such as fib:38@20");
        cutoffs.push_back(*own);
    }
    size = size.substr(0, at);
    if (cutoffs.empty())
        cutoffs.push_back(std::nullopt);
    return cutoffs;
}

struct scheduler_choice {
    std::optional<std::string> scheduler;
    std::optional<std::string> tracker;
    std::optional<std::string> reclaimer;
};

std::vector<scheduler_choice> scheduler_choices(const runner& runner, const kernel_entry& kernel,
                                                const variant_entry& variant, const bench_settings& settings) {
    if (!is_teff(runner.runtime) || kernel.own_threads)
        return {{}};
    std::vector<scheduler_choice> choices;
    for (const std::string& scheduler : settings.schedulers) {
        if (const auto known = find_scheduler(scheduler); !known || !known->reclaims()) {
            choices.push_back({scheduler, std::nullopt, std::nullopt});
            continue;
        }
        for (const std::string& reclaimer : settings.reclaimers)
            choices.push_back({scheduler, std::nullopt, reclaimer});
    }
    if (settings.trackers.empty() || !variant.has_accesses)
        return choices;
    std::vector<scheduler_choice> tracked;
    for (scheduler_choice& each : choices) {
        for (const std::string& tracker : settings.trackers) {
            each.tracker = tracker;
            tracked.push_back(each);
        }
    }
    return tracked;
}

// The numbers of threads, sorted; none if all numbers that were asked for are below the variant's minimum.
std::vector<unsigned> threads_for(const runner& runner, const kernel_entry& kernel, const variant_entry& variant,
                                  const bench_settings& settings) {
    if (runner.runtime == "serial" || runner.runtime == "mpi")
        return {1};
    std::vector<unsigned> threads = kernel.by_threads ? settings.thread_range : settings.threads;
    std::erase_if(threads, [&](unsigned count) { return count < variant.least_threads; });
    return threads;
}

// How many processes, and how many threads in each. `workers`: configuration::workers.
struct placement {
    std::optional<unsigned> ranks;
    unsigned threads;
    unsigned workers = 0;
};

// Where a variant with these numbers of threads runs. In kind mpi that is the number of each rank's workers. A program
// that uses MPI alone has more ranks instead.
std::vector<placement> placements(const runner& runner, const std::vector<unsigned>& threads,
                                  const bench_settings& settings) {
    std::vector<placement> places;
    if (settings.kind != "mpi" || runner.runtime == "serial") {
        for (const unsigned count : threads)
            places.push_back({std::nullopt, count});
        return places;
    }
    std::vector<unsigned> totals;
    for (const unsigned ranks : settings.ranks)
        for (const unsigned count : settings.threads) {
            const unsigned total = ranks * count;
            if (!runner.mpirun.empty() && runner.runtime != "mpi")
                places.push_back({ranks, count, std::min(total, settings.processors)});
            else
                add_once(totals, runner.mpirun.empty() ? std::min(total, settings.processors) : total);
        }
    std::sort(totals.begin(), totals.end());
    for (const unsigned total : totals)
        places.push_back(runner.mpirun.empty() ? placement{std::nullopt, total}
                                               : placement{total, 1, std::min(total, settings.processors)});
    return places;
}

// Adds one skip for all sizes and runtimes together.
void add_skip_once(plan& result, const kernel_choice& choice, const variant_entry& variant,
                   const bench_settings& settings) {
    skip skipped;
    skipped.what.kind = settings.kind;
    skipped.what.kernel = choice.name;
    skipped.what.size = choice.size;
    skipped.what.variant = variant.name;
    skipped.what.threads = 0;
    skipped.reason = fmt::format("needs at least {0} threads: use --threads {0}", variant.least_threads);
    const bool is_known = std::any_of(result.skipped.begin(), result.skipped.end(), [&](const skip& other) {
        return other.what.text() == skipped.what.text();
    });
    if (!is_known)
        result.skipped.push_back(std::move(skipped));
}

// The fields that all configurations of a variant share.
planned_run run_of(const kernel_choice& choice, const std::string& size, const kernel_entry& kernel,
                   const variant_entry& variant, const bench_settings& settings) {
    planned_run what;
    what.kind = settings.kind;
    what.kernel = choice.name;
    what.size = settings.input.empty() ? size : settings.input.filename().string();
    what.variant = variant.name;
    what.problem = kernel.variants_differ ? variant.name : "";
    what.is_paced = kernel.is_paced;
    what.has_headline = !kernel.shown.headline.empty();
    what.compared = kernel.compared;
    what.has_ratio = variant.has_ratio;
    what.limit_seconds = settings.limit_for(settings.input.empty() ? choice.size : what.size);
    return what;
}

void add_configurations(plan& result, planned_run what, const std::vector<placement>& places,
                        const std::vector<scheduler_choice>& schedulings, const bench_settings& settings,
                        const runner& runner) {
    for (const scheduler_choice& scheduling : schedulings) {
        what.scheduler = scheduling.scheduler;
        what.tracker = scheduling.tracker;
        what.reclaimer = scheduling.reclaimer;
        what.threads = places.back().threads;  // the greatest number needs the most memory
        const std::uint64_t bytes_of_process = ask_memory(runner, what, settings);
        for (const placement& place : places) {
            what.ranks = place.ranks;
            what.threads = place.threads;
            what.workers = place.workers;
            what.memory_bytes = bytes_of_process * place.ranks.value_or(1);
            result.runs.push_back(what);
        }
    }
}

void add_configurations(plan& result, const kernel_choice& choice, const std::string& asked_size,
                        const bench_settings& settings, const catalogue& found, std::size_t runner_index) {
    const runner& runner = found.runners[runner_index];
    const kernel_entry* kernel = find_kernel(runner, choice.name, settings.kind);
    for (const variant_entry& variant : kernel->variants) {
        if (!settings.variants.empty() &&
            std::find(settings.variants.begin(), settings.variants.end(), variant.name) == settings.variants.end())
            continue;
        const std::vector<unsigned> threads = threads_for(runner, *kernel, variant, settings);
        if (threads.empty()) {
            add_skip_once(result, choice, variant, settings);
            continue;
        }
        const std::vector<placement> places = placements(runner, threads, settings);
        std::string size = asked_size;
        const std::vector<std::optional<long>> cutoffs = take_cutoffs(size, settings);
        planned_run what = run_of(choice, size, *kernel, variant, settings);
        what.runtime = runner.runtime;
        what.compiler = runner.compiler;
        what.runner_index = runner_index;
        const std::vector<scheduler_choice> schedulings = scheduler_choices(runner, *kernel, variant, settings);
        what.in_sweep = cutoffs.size() > 1;
        for (const std::optional<long> cutoff : cutoffs) {
            what.cutoff = cutoff;
            add_configurations(result, what, places, schedulings, settings, runner);
        }
    }
}

// Makes the runs of each problem adjacent and otherwise keeps the order.
std::vector<planned_run> with_problems_together(std::vector<planned_run> all) {
    std::vector<planned_run> sorted;
    for (planned_run& each : all) {
        const auto last = std::find_if(sorted.rbegin(), sorted.rend(),
                                       [&](const configuration& other) { return other.same_problem(each); });
        sorted.insert(last == sorted.rend() ? sorted.end() : last.base(), std::move(each));
    }
    return sorted;
}

// Goes through the sizes one by one, since a runtime may have only some of them.
void add_configurations(plan& result, const kernel_choice& choice, const bench_settings& settings,
                        const catalogue& found) {
    std::vector<std::pair<std::string, std::vector<std::size_t>>> runners_by_size;
    for (std::size_t i = 0; i < found.runners.size(); ++i) {
        const kernel_entry* const kernel = find_kernel(found.runners[i], choice.name, settings.kind);
        if (kernel == nullptr)
            continue;
        for (const std::string& size : sizes_of(*kernel, choice.size)) {
            auto known = std::find_if(runners_by_size.begin(), runners_by_size.end(),
                                      [&](const auto& each) { return each.first == size; });
            if (known == runners_by_size.end())
                known = runners_by_size.insert(known, {size, {}});
            known->second.push_back(i);
        }
    }
    for (const auto& [size, runners] : runners_by_size)
        for (const std::size_t runner : runners)
            add_configurations(result, choice, size, settings, found, runner);
}

}  // namespace

plan make_plan(const bench_settings& settings, const catalogue& found) {
    plan result;
    const std::vector<kernel_choice> choices = chosen_kernels(settings, found);
    check_variants(choices, settings, found);
    for (const kernel_choice& choice : choices) {
        check_options_of(choice, settings, found);
        add_configurations(result, choice, settings, found);
        for (const missing_runtime& missing : found.missing) {
            skip skipped;
            skipped.what.kind = settings.kind;
            skipped.what.kernel = choice.name;
            skipped.what.size = settings.input.empty() ? choice.size : settings.input.filename().string();
            skipped.what.runtime = missing.runtime;
            skipped.what.threads = 0;
            skipped.reason = missing.reason;
            result.skipped.push_back(std::move(skipped));
        }
    }
    result.runs = with_problems_together(std::move(result.runs));
    return result;
}

std::vector<std::string> runner_arguments(const planned_run& what, const bench_settings& settings) {
    std::vector<std::string> arguments = {"--kernel", what.kernel, "--variant", what.variant};
    // Kernels of this kind may have the names of others.
    if (what.kind == "threads")
        arguments.insert(arguments.end(), {"--kind", what.kind});
    if (what.ranks)
        arguments.insert(arguments.end(), {"--runtime", what.runtime, "--json"});
    // An input file replaces the size.
    if (settings.input.empty())
        arguments.insert(arguments.end(), {"--size", what.size});
    else
        arguments.insert(arguments.end(), {"--input", settings.input.string()});
    if (what.cutoff)
        arguments.insert(arguments.end(), {"--cutoff", fmt::format("{}", *what.cutoff)});
    arguments.insert(arguments.end(), {"--threads", fmt::format("{}", what.threads)});
    // Teff's OpenMP runtime has them from its environment instead (single_run.cpp).
    if (what.runtime == "teff" || what.runtime == "teff-mpi") {
        if (what.scheduler)
            arguments.insert(arguments.end(), {"--scheduler", *what.scheduler});
        if (what.tracker)
            arguments.insert(arguments.end(), {"--tracker", *what.tracker});
        if (what.reclaimer)
            arguments.insert(arguments.end(), {"--reclaimer", *what.reclaimer});
    }
    if (what.pace != 0)
        arguments.insert(arguments.end(), {"--pace", fmt::format("{}", what.pace)});
    if (settings.counters)
        arguments.emplace_back("--counters");
    if (settings.hardware_counters)
        arguments.emplace_back("--hardware-counters");
    return arguments;
}

namespace {

constexpr double calibrate_limit_seconds = 30;

std::uint64_t ask(const runner& runner) {
    const child_result result = run_child(request_for(runner, {"--calibrate"}, calibrate_limit_seconds));
    const auto answer = nlohmann::json::parse(result.output, nullptr, false);
    if (result.ending == child_ending::exited && result.code == 0 && answer.is_object() && answer.contains("pace") &&
        answer["pace"].is_number_unsigned())
        return answer["pace"].get<std::uint64_t>();
    throw std::runtime_error(fmt::format("{} does not measure the pace of delay tasks: {}",
                                         runner.program.filename().string(),
                                         result.errors.empty() ? "no message" : first_line(result.errors)));
}

}  // namespace

std::optional<std::uint64_t> set_pace(plan& planned, const catalogue& found) {
    const auto is_paced = [](const planned_run& what) { return what.is_paced; };
    const auto first = std::find_if(planned.runs.begin(), planned.runs.end(), is_paced);
    if (first == planned.runs.end())
        return std::nullopt;
    const std::uint64_t pace = ask(found.runners[first->runner_index]);
    for (planned_run& each : planned.runs)
        if (each.is_paced)
            each.pace = pace;
    return pace;
}

}  // namespace teff::cli
