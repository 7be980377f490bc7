// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the command line of teff_simulate_ranks; see options.hpp.
#include <simulator/ranks/options.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>

namespace simulator {
namespace {

constexpr unsigned most_ranks = 65536, most_workers = 1024;
constexpr double longest_ns = 1e9;
constexpr long most_chunk = 1'000'000, most_random_victims = 1000;
constexpr std::uint64_t most_drawn_nodes = 300'000'000;  // a tree with fewer is made node by node

[[noreturn]] void refuse(std::string_view value, const std::string& why) {
    throw std::invalid_argument("'" + std::string(value) + "' is not allowed: " + why);
}

long read_number(std::string_view text, long least, long most) {
    long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
        refuse(text, "use a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return value;
}

// A number and one of these units.
struct unit {
    std::string_view name;
    double factor;
};
template <std::size_t Count>
std::optional<double> read_with_unit(std::string_view text, const unit (&units)[Count]) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || !std::isfinite(value))
        return std::nullopt;
    const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
    const unit* const found =
        std::find_if(std::begin(units), std::end(units), [rest](const unit& each) { return each.name == rest; });
    return found == std::end(units) ? std::nullopt : std::optional(value * found->factor);
}

std::vector<std::string_view> members(std::string_view list) {
    std::vector<std::string_view> all;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        all.push_back(list.substr(begin, end - begin));
        begin = end + 1;
    }
    return all;
}

struct option {
    const char* name;
    const char* value;
    const char* meaning;
    std::function<void(ranks_command&, std::string_view)> read;
};

template <class Member>
auto a_time(Member member) {
    return [member](ranks_command& command, std::string_view text) { command.settings.*member = read_time_ns(text); };
}
template <class Member>
auto a_network_time(Member member) {
    return [member](ranks_command& command, std::string_view text) {
        command.settings.network.*member = read_time_ns(text);
    };
}
template <class Member>
auto a_number(Member member, long least, long most) {
    return [=](ranks_command& command, std::string_view text) {
        auto& value = command.settings.*member;
        value = static_cast<std::remove_reference_t<decltype(value)>>(read_number(text, least, most));
    };
}

void read_ranks(ranks_command& command, std::string_view list) {
    command.ranks.clear();
    for (const std::string_view each : members(list))
        command.ranks.push_back(static_cast<unsigned>(read_number(each, 2, most_ranks)));
}
void read_trees(ranks_command& command, std::string_view list) {
    command.trees.clear();
    for (const std::string_view each : members(list))
        command.trees.push_back(find_tree(each));
}
void read_giving(ranks_command& command, std::string_view text) {
    if (text != "oldest" && text != "alternate")
        refuse(text, "use oldest or alternate");
    command.settings.gives_alternate = text == "alternate";
}

const std::vector<option>& options() {
    using settings = ranks_settings;
    static const std::vector<option> all = {
        {"--ranks", "LIST", "numbers of ranks, 2 to 65536; default: 2,4,8,16,32,64", read_ranks},
        {"--tree", "LIST",
         "one tree for all, or one for each number of ranks: T1, T1L, T1XL, T1XXL, T1WL, T3, T3L, or G1 to G24, "
         "geometric trees of that depth; default: T1XXL",
         read_trees},
        {"--workers", "N", "workers of a rank; default: 24", a_number(&settings::workers, 1, most_workers)},
        {"--latency", "TIME", "of the network; default: 1.5us", a_network_time(&network_costs::latency_ns)},
        {"--bandwidth", "SPEED", "of a rank's link in each direction; default: 10GB/s",
         [](ranks_command& command, std::string_view text) {
             command.settings.network.bytes_per_ns = read_bytes_per_ns(text);
         }},
        {"--send", "TIME", "of the processor that sends a message; default: 500ns",
         a_network_time(&network_costs::send_ns)},
        {"--receive", "TIME", "of the one that receives it; default: 500ns",
         a_network_time(&network_costs::receive_ns)},
        {"--chunk", "N", "as the option of the call; default: 512", a_number(&settings::chunk, 1, most_chunk)},
        {"--random-victims", "N", "as the option of the call; default: 2",
         a_number(&settings::random_victims, 0, most_random_victims)},
        {"--gives", "WHICH", "items that a rank gives: oldest, or every second of those; default: alternate",
         read_giving},
        {"--longest-pause", "TIME", "between two looks at the messages; default: that of the library",
         a_time(&settings::longest_pause_ns)},
        {"--timer", "TIME", "what the system adds to a sleep; default: 50us", a_time(&settings::timer_ns)},
        {"--node", "TIME", "of a node of the tree on a worker; default: 20.7ns", a_time(&settings::node_ns)},
        {"--seed", "N", "of the small differences between runs; default: 1",
         a_number(&settings::seed, 0, 1'000'000'000)},
    };
    return all;
}

const option& find_option(std::string_view name) {
    for (const option& each : options())
        if (name == each.name)
            return each;
    throw std::invalid_argument("there is no option '" + std::string(name) + "'; --help lists them");
}

}  // namespace

std::string ranks_usage() {
    std::string text =
        "usage: teff_simulate_ranks [OPTION VALUE]...\n"
        "Simulates UTS as a reduction on many ranks (docs/many_machines.md). Prints a row for each number of ranks.\n";
    for (const option& each : options())
        text += "  " + std::string(each.name) + " " + each.value + ": " + each.meaning + "\n";
    return text + "A TIME has a unit, ns, us, ms or s; a SPEED has one, too, MB/s or GB/s.\n"
                  "Exit status: 0; 2 on bad usage.\n";
}

double read_time_ns(std::string_view text) {
    static constexpr unit units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    const auto read = read_with_unit(text, units);
    if (!read || *read < 0 || *read > longest_ns)
        refuse(text, "use a time from 0ns to 1s with its unit, such as 1.5us");
    return *read;
}

double read_bytes_per_ns(std::string_view text) {
    static constexpr unit units[] = {{"MB/s", 1e-3}, {"GB/s", 1}};
    const auto read = read_with_unit(text, units);
    if (!read || *read < 1e-3 || *read > 1e4)
        refuse(text, "use a speed from 1MB/s to 10000GB/s with its unit, such as 10GB/s");
    return *read;
}

ranks_command read_ranks_command(const std::vector<std::string_view>& words) {
    ranks_command command;
    command.trees = {find_tree("T1XXL")};
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "--help" || words[i] == "-h") {
            command.shows_help = true;
            return command;
        }
        const option& named = find_option(words[i]);
        if (++i == words.size())
            throw std::invalid_argument(std::string(named.name) + ": its value is missing: " + named.meaning);
        try {
            named.read(command, words[i]);
        } catch (const std::invalid_argument& error) {
            throw std::invalid_argument(std::string(named.name) + ": " + error.what());
        }
    }
    if (command.trees.size() == 1)
        command.trees.resize(command.ranks.size(), command.trees.front());
    if (command.trees.size() != command.ranks.size())
        throw std::invalid_argument("--tree: there are " + std::to_string(command.trees.size()) + " trees for " +
                                    std::to_string(command.ranks.size()) +
                                    " numbers of ranks; name one, or one for each of them");
    return command;
}

bool is_small(const named_tree& tree) noexcept { return tree.nodes != 0 && tree.nodes < most_drawn_nodes; }

}  // namespace simulator
