// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the candidates; see completion.hpp.
#include <cli/complete/completion.hpp>

#include <algorithm>
#include <exception>
#include <iterator>
#include <string_view>

#include <teff/depend/names.hpp>
#include <teff/reclaim/names.hpp>
#include <teff/schedulers.hpp>

#include <cli/bench/catalogue.hpp>
#include <cli/bench/settings.hpp>
#include <cli/output.hpp>
#include <cli/simulate/simulator_program.hpp>
#include <cli/text.hpp>

namespace teff::cli {

namespace {

using strings = std::vector<std::string>;

template <class Table>
std::vector<candidate> rows_of(const Table& table) {
    std::vector<candidate> made;
    for (const auto& row : table)
        made.push_back({row.name, row.sentence});
    return made;
}

template <class Names>
std::vector<candidate> names_of(const Names& names) {
    std::vector<candidate> made;
    for (const auto& name : names)
        made.push_back({std::string(name)});
    return made;
}

std::vector<candidate> runtime_names() {
    std::vector<candidate> made;
    for (const runtime_kind& each : runtime_kinds)
        made.push_back({each.name});
    return made;
}

bool is_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

std::string name_of(const CLI::Option& option) {
    return option.get_lnames().empty() ? "" : "--" + option.get_lnames().front();
}

// The words with `--option = value` as one word, as shells other than bash give them.
strings joined_at_equal_signs(std::span<const std::string> words) {
    strings joined;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool continues = words[i] == "=" && !joined.empty() && is_option(joined.back());
        if (!continues) {
            joined.push_back(words[i]);
            continue;
        }
        joined.back() += "=";
        if (i + 1 < words.size())
            joined.back() += words[++i];
    }
    if (joined.empty())
        joined.emplace_back();
    return joined;
}

const CLI::App* command_named(const CLI::App& app, const std::string& name) {
    for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; }))
        if (each->get_name() == name)
            return each;
    return nullptr;
}

const CLI::Option* option_named(const CLI::App& command, const std::string& word) {
    const std::string name = word.substr(0, word.find('='));
    for (const CLI::Option* each : command.get_options())
        if (!name_of(*each).empty() && (name == name_of(*each) || (name.size() == 2 && each->check_name(name))))
            return each;
    return nullptr;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

// The value of an option in the words so far, or its default.
std::string value_of(const CLI::App& command, const strings& words, const std::string& name) {
    std::string value;
    if (const CLI::Option* const option = option_named(command, name))
        value = option->get_default_str();
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        if (words[i] == name)
            value = words[i + 1];
        else if (words[i].starts_with(name + "="))
            value = words[i].substr(name.size() + 1);
    }
    return value;
}

// The kernels of the kind that the user has asked for.
std::vector<candidate> kernel_names(const CLI::App& bench, const strings& words) {
    strings runtimes;
    for (const runtime_kind& each : runtime_kinds)
        runtimes.emplace_back(each.name);
    const strings compilers(std::begin(compiler_names), std::end(compiler_names));
    const catalogue found = find_runners(runner_folders::beside_this_program(), runtimes, compilers);
    return names_of(found.kernel_names(value_of(bench, words, "--kind")));
}

// The names that the simulator offers; none if there is no simulator.
std::vector<candidate> simulated_names(strings (simulator_program::*names)() const) {
    try {
        return names_of((find_simulator().*names)());
    } catch (const std::exception&) {
        return {};
    }
}

// The values that an option takes are in the table of that name, if it has one.
completion values_of(const CLI::App& command, const CLI::Option& option) {
    const std::string name = name_of(option);
    const bool is_list = command.get_name() == "bench" || command.get_name() == "simulate";
    completion made;
    if (name == "--scheduler")
        made.candidates = rows_of(schedulers());
    else if (name == "--tracker")
        made.candidates = rows_of(tracker_names);
    else if (name == "--reclaimer")
        made.candidates = rows_of(reclaimer_names);
    else if (name == "--runtime")
        made.candidates = runtime_names();
    else if (name == "--compiler")
        made.candidates = names_of(compiler_names);
    else if (name == "--face")
        made.candidates = simulated_names(&simulator_program::face_names);
    else if (name == "--machine")
        return {{{"1x16", "a socket of 16 cores"},
                 {"8x24", "8 sockets of 24 cores"},
                 {"8x24x2", "with two threads each"}},
                true};
    else if (name == "--kind")
        return {names_of(kernel_kinds)};
    else if (name == "--size")
        return {names_of(bench_sizes)};
    else if (name == "--input" || name == "--json" || name == "--report" || name == "--timeline" || name == "--graph" ||
             name == "--svg" || name == "--output" || name == "--html" || name == "--read")
        return {{}, true};
    if (is_list && !made.candidates.empty())
        made.candidates.push_back({"all", "every one of them"});
    return made;
}

std::vector<candidate> options_of(const CLI::App& command) {
    std::vector<candidate> made;
    for (const CLI::Option* each : command.get_options())
        if (!name_of(*each).empty())
            made.push_back({name_of(*each), each->get_description()});
    return made;
}

std::vector<candidate> commands_of(const CLI::App& app) {
    std::vector<candidate> made;
    for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; }))
        made.push_back({each->get_name(), each->get_description()});
    return made;
}

// Drops what does not begin with `written`, and puts `before` in front of the rest.
completion narrowed(completion all, std::string_view written, const std::string& before = {}) {
    std::erase_if(all.candidates, [&](const candidate& each) { return !each.text.starts_with(written); });
    for (candidate& each : all.candidates)
        each.text.insert(0, before);
    return all;
}

completion values_for(const CLI::App& command, const CLI::Option& option, const std::string& written,
                      const std::string& before) {
    const std::size_t comma = written.rfind(',');
    const std::size_t begin = comma == std::string::npos ? 0 : comma + 1;
    return narrowed(values_of(command, option), std::string_view(written).substr(begin),
                    before + written.substr(0, begin));
}

// Whether the words of `command` have the program that `teff run` or `teff trace` is to start.
bool has_program(const CLI::App& command, std::span<const std::string> words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "--" || !is_option(words[i]))
            return true;
        const CLI::Option* const option = option_named(command, words[i]);
        if (option != nullptr && takes_value(*option) && words[i].find('=') == std::string::npos)
            ++i;
    }
    return false;
}

}  // namespace

completion complete(const CLI::App& app, std::span<const std::string> words) {
    const strings line = joined_at_equal_signs(words);
    const std::string& last = line.back();
    const CLI::App* const named = line.size() > 1 ? command_named(app, line.front()) : nullptr;
    if (named == nullptr && line.size() > 1 && line.front() != "help")
        return {};
    const CLI::App& command = named == nullptr ? app : *named;
    const auto before = std::span(line).first(line.size() - 1).subspan(named == nullptr ? 0 : 1);
    if ((command.get_name() == "run" || command.get_name() == "trace") && has_program(command, before))
        return {{}, true};

    if (!before.empty() && before.back().find('=') == std::string::npos)
        if (const CLI::Option* const option = option_named(command, before.back());
            option != nullptr && takes_value(*option))
            return values_for(command, *option, last, {});
    if (const std::size_t equal = last.find('='); is_option(last) && equal != std::string::npos) {
        const CLI::Option* const option = option_named(command, last);
        if (option == nullptr || !takes_value(*option))
            return {};
        // bash has begun a new word at the equal sign.
        const bool split = words.size() > line.size();
        return values_for(command, *option, last.substr(equal + 1), split ? "" : last.substr(0, equal + 1));
    }
    if (last.starts_with("-"))
        return narrowed({options_of(command)}, last);
    if (named == nullptr || command.get_name() == "help")
        return narrowed({commands_of(app)}, last);
    if (command.get_name() == "bench")
        return narrowed({kernel_names(command, line)}, last);
    if (command.get_name() == "simulate")
        return narrowed({simulated_names(&simulator_program::kernel_names)}, last);
    // Commands with words of their own take the names of files.
    const auto options = command.get_options();
    const bool takes_words =
        std::any_of(options.begin(), options.end(), [](const CLI::Option* each) { return each->get_positional(); });
    return {{}, takes_words};
}

int run_complete(const CLI::App& app, std::span<const std::string> words) {
    const completion made = complete(app, words);
    for (const candidate& each : made.candidates)
        print("{}{}{}\n", each.text, each.description.empty() ? "" : "\t", first_line(each.description));
    if (made.files)
        print(":files\n");
    return 0;
}

}  // namespace teff::cli
