// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the settings, and lists the simulations to run; see simulation_plan.hpp.
#include <cli/simulate/simulation_plan.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <cli/text.hpp>
#include <cli/usage_error.hpp>

namespace teff::cli {

namespace {

constexpr long most_size = 1'000'000'000'000;
constexpr const char* face_with_trackers = "dataflow";

bool takes_every_face(const simulate_settings& settings) {
    return std::find(settings.faces.begin(), settings.faces.end(), "all") != settings.faces.end();
}

void check_faces(const simulate_settings& settings, const simulator_program& simulator) {
    const std::vector<std::string> known = simulator.face_names();
    for (const std::string& face : settings.faces)
        if (face != "all" && std::find(known.begin(), known.end(), face) == known.end())
            throw usage_error(fmt::format("--face '{}'", face),
                              fmt::format("there is no such name{}", suggestion(face, known)),
                              fmt::format("use a list of {}, or all", join_words(known)));
}

std::vector<kernel_choice> kernels_to_simulate(const simulate_settings& settings, const simulator_program& simulator) {
    const std::vector<std::string> known = simulator.kernel_names();
    std::vector<kernel_choice> choices = settings.kernels;
    if (choices.empty())
        for (const std::string& name : known)
            choices.push_back({name, ""});
    for (const kernel_choice& choice : choices)
        if (std::find(known.begin(), known.end(), choice.name) == known.end())
            throw usage_error(fmt::format("kernel '{}'", choice.name),
                              fmt::format("there is no such kernel{}", suggestion(choice.name, known)),
                              fmt::format("use one of {}", join_words(known)));
    return choices;
}

long size_of(const kernel_choice& choice, const simulated_kernel& kernel) {
    if (choice.size.empty())
        return kernel.usual_size;
    const auto size = parse_integer(choice.size);
    if (!size || *size < 1 || *size > most_size)
        throw usage_error(fmt::format("kernel '{}:{}'", choice.name, choice.size),
                          "the size is not a positive whole number",
                          fmt::format("write {}:{}; the number is that of {}", choice.name, kernel.usual_size,
                                      kernel.size_is));
    return *size;
}

std::vector<const simulated_kernel*> faces_of(const kernel_choice& choice, const simulate_settings& settings,
                                              const simulator_program& simulator) {
    std::vector<const simulated_kernel*> chosen;
    std::vector<std::string> names;
    for (const simulated_kernel& each : simulator.kernels) {
        if (each.name != choice.name)
            continue;
        names.push_back(each.face);
        if (takes_every_face(settings) ||
            std::find(settings.faces.begin(), settings.faces.end(), each.face) != settings.faces.end())
            chosen.push_back(&each);
    }
    // Kernels that the user has not named may have other faces.
    if (chosen.empty() && !settings.kernels.empty())
        throw usage_error(fmt::format("--face '{}'", join_words(settings.faces)),
                          fmt::format("kernel {} does not have it", choice.name),
                          fmt::format("use a list of {}, or all", join_words(names)));
    return chosen;
}

}  // namespace

std::string simulation::scheduling() const { return tracker ? scheduler + " " + *tracker : scheduler; }

std::string simulation::text() const {
    return fmt::format("{} {} {}, {}, {} thread{}", kernel, face, size, scheduling(), threads, threads == 1 ? "" : "s");
}

bool simulation::same_program(const simulation& other) const {
    return kernel == other.kernel && face == other.face && size == other.size;
}

bool simulation::same_line(const simulation& other) const {
    return same_program(other) && scheduler == other.scheduler && tracker == other.tracker;
}

std::vector<simulation> plan_simulations(const simulate_settings& settings, const simulator_program& simulator) {
    check_faces(settings, simulator);
    std::vector<simulation> all;
    bool has_trackers = false;
    for (const kernel_choice& choice : kernels_to_simulate(settings, simulator)) {
        for (const simulated_kernel* kernel : faces_of(choice, settings, simulator)) {
            std::vector<std::optional<std::string>> trackers = {std::nullopt};
            if (kernel->face == face_with_trackers) {
                has_trackers = true;
                trackers.assign(settings.trackers.begin(), settings.trackers.end());
            }
            const long size = size_of(choice, *kernel);
            for (const std::string& scheduler : settings.schedulers)
                for (const auto& tracker : trackers)
                    for (const unsigned threads : settings.threads)
                        all.push_back({kernel->name, kernel->face, size, kernel->size_is, scheduler, tracker, threads});
        }
    }
    if (settings.has_named_trackers && !has_trackers)
        throw usage_error(fmt::format("--tracker '{}'", join_words(settings.trackers)),
                          "no kernel that was asked for declares accesses, so no tracker runs",
                          fmt::format("leave --tracker out, or name a kernel with the face {}", face_with_trackers));
    return all;
}

std::vector<std::string> simulator_arguments(const simulation& what, const simulate_settings& settings) {
    std::vector<std::string> words = {what.kernel,
                                      what.face,
                                      "machine=" + settings.on.name(),
                                      fmt::format("threads={}", what.threads),
                                      "scheduler=" + what.scheduler,
                                      fmt::format("size={}", what.size),
                                      fmt::format("seed={}", settings.seed),
                                      fmt::format("runs={}", settings.runs),
                                      fmt::format("sites={}", settings.lines)};
    if (what.tracker)
        words.push_back("tracker=" + *what.tracker);
    // Only those that the user has changed, so that a default is that of the simulator.
    const auto usual = simulator::machine().prices_by_name();
    const auto chosen = settings.on.prices_by_name();
    for (std::size_t i = 0; i < chosen.size(); ++i)
        if (chosen[i].second != usual[i].second)
            words.push_back(fmt::format("{}={}", chosen[i].first, chosen[i].second));
    return words;
}

}  // namespace teff::cli
