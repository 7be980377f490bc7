// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the simulator, and asks it for its kernels; see simulator_program.hpp.
#include <cli/simulate/simulator_program.hpp>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cli/bench/catalogue.hpp>
#include <cli/bench/child_process.hpp>
#include <cli/option_values.hpp>
#include <cli/text.hpp>

namespace teff::cli {

std::vector<std::string> simulator_program::kernel_names() const {
    std::vector<std::string> names;
    for (const simulated_kernel& each : kernels)
        add_once(names, each.name);
    return names;
}

std::vector<std::string> simulator_program::face_names() const {
    std::vector<std::string> names;
    for (const simulated_kernel& each : kernels)
        add_once(names, each.face);
    return names;
}

const simulated_kernel* simulator_program::find(const std::string& kernel, const std::string& face) const {
    const auto found = std::find_if(kernels.begin(), kernels.end(), [&](const simulated_kernel& each) {
        return each.name == kernel && each.face == face;
    });
    return found == kernels.end() ? nullptr : &*found;
}

std::vector<simulated_kernel> read_kernel_list(const std::string& output) {
    std::vector<simulated_kernel> kernels;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        const nlohmann::json read = nlohmann::json::parse(line);
        kernels.push_back({read.at("kernel").get<std::string>(), read.at("face").get<std::string>(),
                           read.value("size_is", "size"), read.value("usual_size", 0L)});
    }
    return kernels;
}

simulator_program find_simulator() {
    const std::vector<std::filesystem::path> folders = runner_folders::beside_this_program().runners;
    const auto program = find_program(folders, "teff_simulator");
    if (!program)
        throw std::runtime_error(fmt::format(
            "nothing can be simulated: there is no teff_simulator in {} or {}; build or install it with the command, "
            "by GCC (`make build` or `make install`)",
            folders.front().string(), folders.back().lexically_normal().string()));
    child_request request;
    request.program = *program;
    request.arguments = {"list"};
    request.limit_seconds = describe_limit_seconds;
    const child_result answer = run_child(request);
    if (answer.ending != child_ending::exited || answer.code != 0)
        throw std::runtime_error(fmt::format("{} does not list its kernels: {}", program->string(),
                                             answer.errors.empty() ? "no message" : first_line(answer.errors)));
    try {
        return {*program, read_kernel_list(answer.output)};
    } catch (const nlohmann::json::exception& error) {
        throw std::runtime_error(
            fmt::format("{} is no simulator of this version: {}", program->string(), error.what()));
    }
}

}  // namespace teff::cli
