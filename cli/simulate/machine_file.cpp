// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a machine from its name or from a file; see machine_file.hpp.
#include <cli/simulate/machine_file.hpp>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <numeric>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cli/output_file.hpp>
#include <cli/text.hpp>
#include <cli/usage_error.hpp>

namespace teff::cli {

namespace {

std::string machine_limits() {
    return fmt::format("a machine has at most {} cores and {} processors", simulator::machine::max_cores,
                       simulator::machine::max_processors);
}

constexpr const char* machine_example = R"(write an object such as {"sockets": 2, "cores": 24})";

// Two or three positive numbers, however large.
bool has_machine_form(const std::string& text) {
    const std::vector<std::string> numbers = split_list(text, 'x');
    const auto is_number = [](const std::string& each) {
        return each.find_first_not_of("0123456789") == std::string::npos &&
               each.find_first_not_of('0') != std::string::npos;
    };
    return (numbers.size() == 2 || numbers.size() == 3) &&
           text.size() == std::accumulate(numbers.begin(), numbers.end(), numbers.size() - 1,
                                          [](std::size_t sum, const std::string& each) { return sum + each.size(); }) &&
           std::all_of(numbers.begin(), numbers.end(), is_number);
}

// A complaint about a file, and how to correct the file.
class machine_complaint {
public:
    explicit machine_complaint(const std::string& file) : file_(file) {}

    [[noreturn]] void say(const std::string& why, const std::string& remedy) const {
        throw usage_error(fmt::format("--machine '{}'", file_), why, remedy);
    }

    // `known`: the keys that the object may have.
    void check_keys(const nlohmann::json& object, const std::vector<std::string>& known, const char* what) const {
        for (const auto& [key, value] : object.items())
            if (std::find(known.begin(), known.end(), key) == known.end())
                say(fmt::format("it has the unknown {} '{}'{}", what, key, suggestion(key, known)),
                    fmt::format("use {}", join_words(known)));
    }

private:
    const std::string& file_;
};

std::string count_in(const nlohmann::json& file, const char* key, bool may_be_missing,
                     const machine_complaint& complaint) {
    if (!file.contains(key)) {
        if (!may_be_missing)
            complaint.say(fmt::format("it does not say how many {} there are", key),
                          machine_example);
        return "1";
    }
    const nlohmann::json& value = file[key];
    if (!value.is_number_integer() || value <= 0)
        complaint.say(fmt::format("'{}' is {}, not a positive whole number", key, value.dump()),
                      fmt::format("write a number; {}", machine_limits()));
    return value.dump();
}

void set_costs(simulator::machine& made, const nlohmann::json& costs, const machine_complaint& complaint) {
    if (!costs.is_object())
        complaint.say(fmt::format("'costs' is {}, not an object", costs.type_name()),
                      R"(write an object such as {"near_line": 60, "wake": 1500})");
    std::vector<std::string> known;
    for (const auto& [name, value] : made.prices_by_name())
        known.emplace_back(name);
    complaint.check_keys(costs, known, "cost");
    for (const auto& [name, value] : costs.items())
        if (!value.is_number() || !made.set(name, value.get<double>()))
            complaint.say(fmt::format("the cost '{}' is {}, not a number from 0 up", name, value.dump()),
                          "write nanoseconds; smt is a factor, and sizes of caches are KiB");
}

}  // namespace

simulator::machine machine_in(const std::string& text, const std::string& file) {
    const machine_complaint complaint(file);
    nlohmann::json described;
    try {
        described = nlohmann::json::parse(text);
    } catch (const nlohmann::json::exception& error) {
        complaint.say(fmt::format("it is no JSON ({})", error.what()),
                      machine_example);
    }
    if (!described.is_object())
        complaint.say(fmt::format("it holds {}, not an object", described.type_name()),
                      machine_example);
    complaint.check_keys(described, {"sockets", "cores", "threads", "costs"}, "key");
    const std::string name = fmt::format("{}x{}x{}", count_in(described, "sockets", false, complaint),
                                         count_in(described, "cores", false, complaint),
                                         count_in(described, "threads", true, complaint));
    auto made = simulator::machine::parse(name);
    if (!made)
        complaint.say(fmt::format("{} is too large", name), machine_limits());
    if (described.contains("costs"))
        set_costs(*made, described["costs"], complaint);
    return *made;
}

simulator::machine read_machine(const std::string& text) {
    if (text.ends_with(".json") || text.find('/') != std::string::npos) {
        const bool is_folder = std::filesystem::is_directory(text);
        if (is_folder || ::access(text.c_str(), R_OK) != 0)
            throw usage_error(fmt::format("--machine '{}'", text),
                              is_folder ? "it is a folder" : std::generic_category().message(errno),
                              "name a file that exists and can be read");
        return machine_in(read_file(text), text);
    }
    const auto made = simulator::machine::parse(text);
    if (made)
        return *made;
    if (has_machine_form(text))
        throw usage_error(fmt::format("--machine '{}'", text), "it is too large", machine_limits());
    throw usage_error(fmt::format("--machine '{}'", text),
                      "it is not two or three numbers from 1 up: sockets, cores of each, threads of each core",
                      "use one such as 1x16, 8x24 or 8x24x2, or a file that ends in .json");
}

std::string described(const simulator::machine& on) {
    std::string text = fmt::format("{} socket{} {} {} core{}", on.sockets(), on.sockets() == 1 ? "" : "s",
                                   on.sockets() == 1 ? "with" : "of", on.cores_per_socket(),
                                   on.cores_per_socket() == 1 ? "" : "s");
    if (on.threads_per_core() > 1)
        text += fmt::format(" with {} threads each", on.threads_per_core());
    return text;
}

}  // namespace teff::cli
