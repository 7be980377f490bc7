// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks a runner for the pace of the delay tasks, and passes it to the planned runs; see pace.hpp.
#include <cli/bench/pace.hpp>

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cli/text.hpp>

namespace teff::cli {

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
