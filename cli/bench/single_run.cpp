// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one configuration once; see single_run.hpp.
//
// Every child gets the same OpenMP variables, so that no runtime has an environment of its own. Free memory is checked
// immediately before the start: memory that was free when the plan was made may be in use by then.
#include <cli/bench/single_run.hpp>

#include <csignal>

#include <fmt/format.h>

#include <cli/text.hpp>

namespace teff::cli {

namespace {

enum exit_status { status_verified = 0, status_refused = 2, status_wrong = 3, status_out_of_memory = 4 };

run_result not_counted(run_outcome outcome, std::string reason) {
    run_result result;
    result.outcome = outcome;
    result.reason = std::move(reason);
    return result;
}

std::string message_of(const child_result& child) {
    return child.errors.empty() ? "no message" : first_line(child.errors);
}

run_result read_answer(const child_result& child, const runner& on) {
    const auto answer = nlohmann::json::parse(first_line(child.output), nullptr, false);
    try {
        if (child.code == status_wrong || !answer.at("verified").get<bool>())
            return not_counted(run_outcome::wrong_answer,
                               fmt::format("wrong answer: {} instead of {}", answer.at("answer").get<std::string>(),
                                           answer.at("expected").get<std::string>()));
        if (std::string wrong = wrong_library(answer.value("openmp_libraries", std::vector<std::string>{}), on);
            !wrong.empty())
            return not_counted(run_outcome::broken, "broken: " + wrong);
        run_result result;
        result.outcome = run_outcome::verified;
        result.seconds = answer.at("seconds").get<double>();
        result.tasks = answer.at("tasks").get<std::uint64_t>();
        result.counters = answer.value("counters", nlohmann::json());
        result.given = answer.value("given", nlohmann::json());
        result.found = answer.value("found", nlohmann::json());
        return result;
    } catch (const nlohmann::json::exception&) {
        return not_counted(run_outcome::broken,
                           fmt::format("broken: its answer cannot be read ({})", first_line(child.output)));
    }
}

}  // namespace

std::string wrong_library(const std::vector<std::string>& libraries, const runner& on) {
    if (libraries.size() > 1)
        return fmt::format("two OpenMP libraries were in its process, {}", join_words(libraries));
    if (!on.library.empty() && libraries.empty())
        return fmt::format("it does not tell which OpenMP library it used instead of {}", on.library.string());
    if (!on.library.empty() && libraries.front() != on.library)
        return fmt::format("it used {} instead of {}", libraries.front(), on.library.string());
    for (const auto& other : on.other_libraries)
        if (!libraries.empty() && libraries.front() == other)
            return fmt::format("it used {}, which is not {}: unset LD_LIBRARY_PATH and LD_PRELOAD",
                               libraries.front(), on.runtime);
    return {};
}

run_result interpret(const child_result& child, double limit_seconds, const runner& on) {
    switch (child.ending) {
    case child_ending::not_started:
        return not_counted(run_outcome::broken, fmt::format("broken: {}", child.errors));
    case child_ending::interrupted:
        return not_counted(run_outcome::interrupted, "interrupted");
    case child_ending::over_limit: {
        run_result result =
            not_counted(run_outcome::over_limit, fmt::format("over the limit of {:g} s", limit_seconds));
        result.seconds = limit_seconds;
        return result;
    }
    case child_ending::signalled:
        // This command sends SIGKILL only at the limit; before it, the kernel sends it when memory is exhausted.
        if (child.code == SIGKILL)
            return not_counted(run_outcome::out_of_memory, "out of memory: stopped by the system");
        return not_counted(run_outcome::broken,
                           fmt::format("broken: ended by signal {}: {}", child.code, message_of(child)));
    case child_ending::exited:
        break;
    }
    switch (child.code) {
    case status_verified:
    case status_wrong:
        return read_answer(child, on);
    case status_refused:
        return not_counted(run_outcome::refused, fmt::format("refused: {}", message_of(child)));
    case status_out_of_memory:
        return not_counted(run_outcome::out_of_memory, fmt::format("out of memory: {}", message_of(child)));
    default:
        return not_counted(run_outcome::broken,
                           fmt::format("broken: ended with status {}: {}", child.code, message_of(child)));
    }
}

run_result run_once(const planned_run& what, const bench_settings& settings, const catalogue& found,
                    const std::vector<std::pair<std::string, std::string>>& environment) {
    if (const auto reason = refusal(what.memory_bytes, read_free_memory()))
        return not_counted(run_outcome::refused, *reason);
    const runner& on = found.runners[what.runner_index];
    child_request request = request_for(on, runner_arguments(what, settings), what.limit_seconds);
    if (what.ranks) {
        request.arguments.insert(request.arguments.begin(),
                                 {"-n", fmt::format("{}", *what.ranks), request.program.string()});
        request.program = on.mpirun;
    }
    request.environment.emplace_back("OMP_NUM_THREADS", fmt::format("{}", what.threads));
    request.environment.emplace_back("OMP_DYNAMIC", "false");
    request.environment.emplace_back("OMP_PROC_BIND", "false");
    // An OpenMP program knows nothing of Teff, so Teff's options are in its environment.
    if (what.runtime == "teff-omp") {
        const auto set = [&](const char* name, const std::optional<std::string>& value) {
            if (value)
                request.environment.emplace_back(name, *value);
        };
        set("TEFF_SCHEDULER", what.scheduler);
        set("TEFF_TRACKER", what.tracker);
        set("TEFF_RECLAIMER", what.reclaimer);
    }
    // Every runner loads OpenBLAS, which would start its threads then.
    request.environment.emplace_back("OPENBLAS_NUM_THREADS", "1");
    request.environment.insert(request.environment.end(), environment.begin(), environment.end());
    return interpret(run_child(request), what.limit_seconds, on);
}

std::optional<std::string> refusal(std::uint64_t needed_bytes, const std::optional<free_memory>& free) {
    if (!free || needed_bytes <= free->bytes)
        return std::nullopt;
    return fmt::format("refused: needs about {}, more than the {} {}", format_bytes(needed_bytes),
                       format_bytes(free->bytes),
                       free->is_group_limit ? "left by the control group's limit" : "free on this machine");
}

}  // namespace teff::cli
