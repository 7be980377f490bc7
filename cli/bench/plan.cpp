// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From settings and runners to configurations; see plan.hpp.
//
// A runner is asked about a size once per kernel, variant and scheduler (a queue that is first in, first out holds more
// than a stack), with the greatest number of threads. It refuses a size that it cannot read with exit status 2 and a
// message, which is passed on as the user's mistake; any other failure to answer only means that the memory is
// unknown, and the run itself will tell.
#include <cli/bench/plan.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cli/text.hpp>
#include <cli/usage_error.hpp>

namespace teff::cli {

namespace {

constexpr double describe_limit_seconds = 30;
constexpr int status_usage = 2;

const kernel_entry* find_kernel(const runner& runner, const std::string& name) {
    const auto found = std::find_if(runner.kernels.begin(), runner.kernels.end(),
                                    [&](const kernel_entry& kernel) { return kernel.name == name; });
    return found == runner.kernels.end() ? nullptr : &*found;
}

// The private stacks of `demand` share no node that another worker could still read, so nothing is reclaimed there.
bool has_reclaimer(const std::string& scheduler) {
    return scheduler != "demand";
}

std::vector<kernel_choice> chosen_kernels(const bench_settings& settings, const catalogue& found) {
    const std::vector<std::string> known = found.kernel_names();
    std::vector<kernel_choice> choices = settings.kernels;
    if (choices.empty())
        for (const std::string& name : known)
            choices.push_back({name, settings.size});
    for (const kernel_choice& choice : choices)
        if (std::find(known.begin(), known.end(), choice.name) == known.end())
            throw usage_error(fmt::format("kernel '{}'", choice.name),
                              fmt::format("there is no such kernel{}", suggestion(choice.name, known)),
                              fmt::format("use one of {}", join_words(known)));
    return choices;
}

void check_options_of(const kernel_choice& choice, const bench_settings& settings, const catalogue& found) {
    std::vector<std::string> with_cutoff;
    std::vector<std::string> with_input;
    for (const runner& runner : found.runners) {
        for (const kernel_entry& kernel : runner.kernels) {
            if (kernel.takes_cutoff && std::find(with_cutoff.begin(), with_cutoff.end(), kernel.name) ==
                                           with_cutoff.end())
                with_cutoff.push_back(kernel.name);
            if (kernel.takes_input && std::find(with_input.begin(), with_input.end(), kernel.name) == with_input.end())
                with_input.push_back(kernel.name);
        }
    }
    const auto lacks = [&](const std::vector<std::string>& names) {
        return std::find(names.begin(), names.end(), choice.name) == names.end();
    };
    if (settings.cutoff && lacks(with_cutoff))
        throw usage_error(fmt::format("--cutoff {}", *settings.cutoff),
                          fmt::format("kernel {} has no cut-off", choice.name),
                          with_cutoff.empty() ? "leave --cutoff out"
                                              : fmt::format("name kernels that have one: {}", join_words(with_cutoff)));
    if (!settings.input.empty() && lacks(with_input))
        throw usage_error(fmt::format("--input '{}'", settings.input.string()),
                          fmt::format("kernel {} reads no input file", choice.name),
                          with_input.empty() ? "leave --input out"
                                             : fmt::format("name a kernel that reads one: {}", join_words(with_input)));
}

// The memory that a run needs, 0 when unknown. Throws usage_error for a size that the kernel does not have.
std::uint64_t ask_memory(const runner& runner, const configuration& what, const bench_settings& settings) {
    std::vector<std::string> arguments = runner_arguments(what, settings);
    arguments.emplace_back("--describe");
    const child_result result = run_child(request_for(runner, std::move(arguments), describe_limit_seconds));
    if (result.ending != child_ending::exited)
        return 0;
    if (result.code == status_usage) {
        const std::string asked = settings.input.empty() ? fmt::format("{}:{}", what.kernel, what.size)
                                                         : fmt::format("--input '{}'", settings.input.string());
        throw usage_error(asked, fmt::format("the kernel refuses it ({})", first_line(result.errors)),
                          "use quick, paper, or a size as docs/bench.md lists them");
    }
    const auto answer = nlohmann::json::parse(result.output, nullptr, false);
    if (!answer.is_object() || !answer.contains("memory_bytes") || !answer["memory_bytes"].is_number())
        return 0;
    return answer["memory_bytes"].get<std::uint64_t>();
}

struct scheduler_choice {
    std::optional<std::string> scheduler;
    std::optional<std::string> reclaimer;
};

std::vector<scheduler_choice> scheduler_choices(const runner& runner, const bench_settings& settings) {
    if (runner.runtime != "teff")
        return {{}};
    std::vector<scheduler_choice> choices;
    for (const std::string& scheduler : settings.schedulers) {
        if (!has_reclaimer(scheduler)) {
            choices.push_back({scheduler, std::nullopt});
            continue;
        }
        for (const std::string& reclaimer : settings.reclaimers)
            choices.push_back({scheduler, reclaimer});
    }
    return choices;
}

void add_configurations(plan& result, const kernel_choice& choice, const bench_settings& settings,
                        const catalogue& found, std::size_t runner_index) {
    const runner& runner = found.runners[runner_index];
    const kernel_entry* kernel = find_kernel(runner, choice.name);
    if (kernel == nullptr)
        return;
    for (const variant_entry& variant : kernel->variants) {
        if (!settings.variants.empty() &&
            std::find(settings.variants.begin(), settings.variants.end(), variant.name) == settings.variants.end())
            continue;
        configuration what;
        what.kind = settings.kind;
        what.kernel = choice.name;
        what.size = settings.input.empty() ? choice.size : settings.input.filename().string();
        what.variant = variant.name;
        what.runtime = runner.runtime;
        what.compiler = runner.compiler;
        what.has_ratio = variant.has_ratio;
        what.limit_seconds = settings.limit_for(what.size);
        what.runner_index = runner_index;
        const bool is_serial = runner.runtime == "serial";
        const std::vector<unsigned> threads = is_serial ? std::vector<unsigned>{1} : settings.threads;
        for (const scheduler_choice& scheduling : scheduler_choices(runner, settings)) {
            what.scheduler = scheduling.scheduler;
            what.reclaimer = scheduling.reclaimer;
            // Sorted, so the last is the greatest, which needs most.
            what.threads = threads.back();
            what.memory_bytes = ask_memory(runner, what, settings);
            for (const unsigned count : threads) {
                what.threads = count;
                result.configurations.push_back(what);
            }
        }
    }
}

}  // namespace

std::string configuration::text() const {
    std::string words = fmt::format("{} {}", kernel, size);
    for (const std::string& word : {variant, runtime, compiler, scheduler.value_or(""), reclaimer.value_or("")})
        if (!word.empty())
            words += " " + word;
    if (threads > 0 && runtime != "serial")
        words += fmt::format(", {} thread{}", threads, threads == 1 ? "" : "s");
    return words;
}

bool configuration::same_problem(const configuration& other) const {
    return kind == other.kind && kernel == other.kernel && size == other.size;
}

plan make_plan(const bench_settings& settings, const catalogue& found) {
    plan result;
    for (const kernel_choice& choice : chosen_kernels(settings, found)) {
        check_options_of(choice, settings, found);
        for (std::size_t i = 0; i < found.runners.size(); ++i)
            add_configurations(result, choice, settings, found, i);
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
    return result;
}

std::vector<std::string> runner_arguments(const configuration& what, const bench_settings& settings) {
    std::vector<std::string> arguments = {"--kernel", what.kernel, "--variant", what.variant};
    // An input file stands in for the size.
    if (settings.input.empty())
        arguments.insert(arguments.end(), {"--size", what.size});
    else
        arguments.insert(arguments.end(), {"--input", settings.input.string()});
    if (settings.cutoff)
        arguments.insert(arguments.end(), {"--cutoff", fmt::format("{}", *settings.cutoff)});
    arguments.insert(arguments.end(), {"--threads", fmt::format("{}", what.threads)});
    if (what.scheduler)
        arguments.insert(arguments.end(), {"--scheduler", *what.scheduler});
    if (what.reclaimer)
        arguments.insert(arguments.end(), {"--reclaimer", *what.reclaimer});
    if (settings.counters)
        arguments.emplace_back("--counters");
    return arguments;
}

}  // namespace teff::cli
