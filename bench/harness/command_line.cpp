// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See command_line.hpp. The flags are the rows of one table: a name and the member that receives the value.
#include <bench/harness/command_line.hpp>

#include <charconv>

namespace bench {
namespace {

constexpr long most_threads = 4096;
constexpr long largest_cutoff = 1'000'000'000;
constexpr long greatest_pace = 1'000'000;

long integer_value(const std::string& flag, const std::string& text, long minimum, long maximum) {
    long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < minimum || value > maximum)
        throw usage_error(flag + " " + text + ": takes a number from " + std::to_string(minimum) + " to " +
                          std::to_string(maximum));
    return value;
}

struct flag_row {
    const char* name;
    void (*set)(command_line&, const std::string& value);
};

constexpr flag_row flags[] = {
    {"--kernel", [](command_line& c, const std::string& value) { c.kernel = value; }},
    {"--kind", [](command_line& c, const std::string& value) { c.kind = value; }},
    {"--size", [](command_line& c, const std::string& value) { c.run.size = value; }},
    {"--variant", [](command_line& c, const std::string& value) { c.run.variant = value; }},
    {"--scheduler", [](command_line& c, const std::string& value) { c.run.scheduler = value; }},
    {"--tracker", [](command_line& c, const std::string& value) { c.run.tracker = value; }},
    {"--reclaimer", [](command_line& c, const std::string& value) { c.run.reclaimer = value; }},
    {"--input", [](command_line& c, const std::string& value) { c.run.input = value; }},
    {"--threads",
     [](command_line& c, const std::string& value) {
         c.run.threads = static_cast<unsigned>(integer_value("--threads", value, 1, most_threads));
     }},
    {"--cutoff",
     [](command_line& c, const std::string& value) {
         c.run.cutoff = integer_value("--cutoff", value, 0, largest_cutoff);
     }},
    {"--pace",
     [](command_line& c, const std::string& value) {
         c.run.pace = static_cast<std::uint64_t>(integer_value("--pace", value, 1, greatest_pace));
     }},
};

void set_flag(command_line& line, const std::string& name, const std::string& value) {
    for (const flag_row& row : flags)
        if (name == row.name) return row.set(line, value);
    throw usage_error(name + ": unknown flag");
}

}  // namespace

command_line parse_command_line(int count, const char* const* arguments) {
    command_line line;
    for (int index = 1; index < count; ++index) {
        const std::string argument = arguments[index];
        const auto equal = argument.find('=');
        if (argument == "--describe") {
            line.describe = true;
        } else if (argument == "--calibrate") {
            line.calibrate = true;
        } else if (argument == "--counters") {
            line.run.counters = true;
        } else if (argument == "--hardware-counters") {
            line.run.hardware_counters = true;
        } else if (equal != std::string::npos) {
            set_flag(line, argument.substr(0, equal), argument.substr(equal + 1));
        } else if (index + 1 < count) {
            set_flag(line, argument, arguments[++index]);
        } else {
            throw usage_error(argument + ": unknown, or its value is missing");
        }
    }
    if (line.kernel.empty() && !line.describe && !line.calibrate)
        throw usage_error("--kernel, --describe or --calibrate is needed");
    return line;
}

}  // namespace bench
