// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See command_line.hpp. The flags with a value are the rows of one table.
#include <bench/mpi/command_line.hpp>

#include <charconv>
#include <string_view>

namespace bench::mpi {
namespace {

constexpr const char* usage =
    "usage: teff-mpi-bench KERNEL [--runtime teff-mpi|mpi|starpu-mpi] [--size S] [--variant V] [--threads N] "
    "[--scheduler NAME] [--reclaimer NAME] [--cutoff N] [--input FILE] [--chunk N] [--random-victims N] "
    "[--poll-interval N] [--repeat N] [--alone] [--json] [--counters]; or --describe";

long number(std::string_view option, std::string_view text) {
    long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        throw usage_error(std::string(option) + " " + std::string(text) + ": not a number\n" + usage);
    return value;
}

// Sets what the library checks itself, and what it does not see.
long positive_number(std::string_view option, std::string_view text) {
    const long value = number(option, text);
    if (value < 1)
        throw usage_error(std::string(option) + " " + std::string(text) + ": takes a number from 1 up\n" + usage);
    return value;
}

struct flag_row {
    std::string_view name;
    void (*set)(command_line& line, std::string_view name, const char* value);
};

constexpr flag_row flags[] = {
    {"--kernel", [](command_line& line, std::string_view, const char* value) { line.kernel = value; }},
    {"--runtime", [](command_line& line, std::string_view, const char* value) { line.runtime = value; }},
    {"--size", [](command_line& line, std::string_view, const char* value) { line.asked.run.size = value; }},
    {"--variant", [](command_line& line, std::string_view, const char* value) { line.asked.run.variant = value; }},
    {"--input", [](command_line& line, std::string_view, const char* value) { line.asked.run.input = value; }},
    {"--scheduler",
     [](command_line& line, std::string_view, const char* value) {
         line.asked.run.scheduler = value;
         line.asked.options.scheduler = value;
     }},
    {"--reclaimer",
     [](command_line& line, std::string_view, const char* value) {
         line.asked.run.reclaimer = value;
         line.asked.options.reclaimer = value;
     }},
    {"--threads",
     [](command_line& line, std::string_view name, const char* value) {
         line.asked.options.threads = number(name, value);
         line.asked.run.threads = static_cast<unsigned>(positive_number(name, value));
     }},
    {"--cutoff",
     [](command_line& line, std::string_view name, const char* value) { line.asked.run.cutoff = number(name, value); }},
    {"--chunk",
     [](command_line& line, std::string_view name, const char* value) {
         line.asked.options.chunk = number(name, value);
         line.asked.chunk = line.asked.options.chunk;
     }},
    {"--random-victims",
     [](command_line& line, std::string_view name, const char* value) {
         line.asked.options.random_victims = number(name, value);
     }},
    {"--poll-interval",
     [](command_line& line, std::string_view name, const char* value) {
         line.asked.poll_interval = positive_number(name, value);
     }},
    {"--repeat",
     [](command_line& line, std::string_view name, const char* value) { line.repeat = positive_number(name, value); }},
};

bool set_switch(command_line& line, std::string_view name) {
    if (name == "--alone")
        line.asked.alone = true;
    else if (name == "--describe")
        line.describe = true;
    else if (name == "--json")
        line.json = true;
    else if (name == "--counters")
        line.counters = true;
    else
        return false;
    return true;
}

void set_flag(command_line& line, std::string_view name, const char* value) {
    for (const flag_row& row : flags) {
        if (name != row.name)
            continue;
        if (value == nullptr)
            throw usage_error(std::string(name) + ": its value is missing\n" + usage);
        row.set(line, name, value);
        return;
    }
    throw usage_error(std::string(name) + ": no such option\n" + usage);
}

}  // namespace

command_line parse(int count, char** arguments) {
    command_line line;
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = arguments[i];
        if (i == 1 && !argument.starts_with("-"))
            line.kernel = argument;
        else if (!set_switch(line, argument)) {
            set_flag(line, argument, i + 1 < count ? arguments[i + 1] : nullptr);
            ++i;
        }
    }
    if (line.kernel.empty() && !line.describe)
        throw usage_error(usage);
    return line;
}

}  // namespace bench::mpi
