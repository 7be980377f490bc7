// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads lists of names and kernels, and checks the files to write; see option_values.hpp.
#include <cli/option_values.hpp>

#include <string_view>

#include <fmt/format.h>

#include <cli/output_file.hpp>
#include <cli/text.hpp>
#include <cli/usage_error.hpp>

namespace teff::cli {

std::vector<std::string> list_members(const std::string& option, const std::string& list) {
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

std::vector<std::string> choose(const std::string& option, const std::string& list,
                                const std::vector<std::string>& known, const std::vector<std::string>& all) {
    std::vector<std::string> chosen;
    for (const std::string& name : list_members(option, list)) {
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

std::vector<std::string> choose(const std::string& option, const std::string& list,
                                const std::vector<std::string>& known) {
    return choose(option, list, known, known);
}

std::vector<unsigned> doubling_up_to(unsigned last) {
    std::vector<unsigned> counts;
    for (unsigned count = 1; count < last; count *= 2)
        counts.push_back(count);
    counts.push_back(last);
    return counts;
}

std::vector<kernel_choice> kernel_choices(const std::vector<std::string>& words, const std::string& size) {
    std::vector<kernel_choice> choices;
    for (const std::string& word : words) {
        const std::size_t colon = word.find(':');
        const kernel_choice choice{word.substr(0, colon), colon == std::string::npos ? size : word.substr(colon + 1)};
        if (choice.name.empty() || (choice.size.empty() && colon != std::string::npos))
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

void check_writable(const std::string& option, const std::filesystem::path& file) {
    if (file.empty())
        return;
    if (const file_problem found = problem_with(file.string()))
        throw usage_error(fmt::format("{} '{}'", option, file.string()), found.why, found.remedy);
}

void check_results(const std::filesystem::path& json, const std::filesystem::path& report) {
    check_writable("--json", json);
    check_writable("--report", report);
    if (!json.empty() && json.lexically_normal() == report.lexically_normal())
        throw usage_error(fmt::format("--report '{}'", report.string()), "--json names the same file",
                          "name two files");
}

}  // namespace teff::cli
