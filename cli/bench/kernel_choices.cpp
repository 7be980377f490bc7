// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the user's choices; see kernel_choices.hpp.
#include <cli/bench/kernel_choices.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cli/text.hpp>
#include <cli/usage_error.hpp>

namespace teff::cli {

const kernel_entry* find_kernel(const runner& runner, const std::string& name, const std::string& kind) {
    const auto found = std::find_if(runner.kernels.begin(), runner.kernels.end(), [&](const kernel_entry& kernel) {
        return kernel.name == name && kernel.kind == kind;
    });
    return found == runner.kernels.end() ? nullptr : &*found;
}

std::vector<kernel_choice> chosen_kernels(const bench_settings& settings, const catalogue& found) {
    const std::vector<std::string> known = found.kernel_names(settings.kind);
    if (known.empty())
        throw usage_error(fmt::format("--kind {}", settings.kind), "none of the chosen runtimes has such a kernel",
                          "choose other runtimes or compilers");
    std::vector<kernel_choice> choices = settings.kernels;
    if (choices.empty())
        for (const std::string& name : known)
            choices.push_back({name, settings.size});
    for (const kernel_choice& choice : choices) {
        if (std::find(known.begin(), known.end(), choice.name) != known.end())
            continue;
        for (const runner& runner : found.runners)
            for (const kernel_entry& other : runner.kernels)
                if (other.name == choice.name)
                    throw usage_error(fmt::format("kernel '{}'", choice.name),
                                      fmt::format("it is of kind {}", other.kind),
                                      fmt::format("add --kind {}", other.kind));
        throw usage_error(fmt::format("kernel '{}'", choice.name),
                          fmt::format("there is no such kernel{}", suggestion(choice.name, known)),
                          fmt::format("use one of {}", join_words(known)));
    }
    return choices;
}

void check_variants(const std::vector<kernel_choice>& choices, const bench_settings& settings,
                    const catalogue& found) {
    std::vector<std::string> known;
    for (const kernel_choice& choice : choices)
        for (const runner& runner : found.runners)
            if (const kernel_entry* const kernel = find_kernel(runner, choice.name, settings.kind); kernel != nullptr)
                for (const variant_entry& variant : kernel->variants)
                    if (std::find(known.begin(), known.end(), variant.name) == known.end())
                        known.push_back(variant.name);
    for (const std::string& name : settings.variants)
        if (std::find(known.begin(), known.end(), name) == known.end())
            throw usage_error(fmt::format("--variant '{}'", name),
                              fmt::format("there is no such name{}", suggestion(name, known)),
                              fmt::format("use a list of {}, or all", join_words(known)));
}

void check_options_of(const kernel_choice& choice, const bench_settings& settings, const catalogue& found) {
    std::vector<std::string> with_cutoff;
    std::vector<std::string> with_input;
    for (const runner& runner : found.runners) {
        for (const kernel_entry& kernel : runner.kernels) {
            if (kernel.kind != settings.kind)
                continue;
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
    if (!settings.cutoffs.empty() && lacks(with_cutoff))
        throw usage_error(fmt::format("--cutoff {}", fmt::join(settings.cutoffs, ",")),
                          fmt::format("kernel {} has no cut-off", choice.name),
                          with_cutoff.empty() ? "leave --cutoff out"
                                              : fmt::format("name kernels that have one: {}", join_words(with_cutoff)));
    if (!settings.input.empty() && lacks(with_input))
        throw usage_error(fmt::format("--input '{}'", settings.input.string()),
                          fmt::format("kernel {} reads no input file", choice.name),
                          with_input.empty() ? "leave --input out"
                                             : fmt::format("name a kernel that reads one: {}", join_words(with_input)));
}

}  // namespace teff::cli
