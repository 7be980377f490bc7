// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the TEFF_* variables. It walks the array of the environment once, because looking up the options one by one
// would never find a name that is not an option.
//
// TEFF_BENCH_* belongs to the command `teff bench` and its tests.
// In a program that runs with more rights than its user (AT_SECURE) the variables are ignored, as with secure_getenv().
#include <teff/base/assert.hpp>
#include <teff/base/bounded_text.hpp>
#include <teff/machine/text.hpp>
#include <teff/options/options.hpp>

#include <array>
#include <pthread.h>
#include <sys/auxv.h>
#include <unistd.h>

namespace teff {
namespace {

void warn_unknown(std::string_view variable) noexcept {
    std::array<char, option_message_size> storage;
    bounded_text message(storage);
    message.add("the variable ").quote(variable).add(" is not known and has no effect");
    if (const option_row* const meant = nearest_option(variable))
        message.add("; did you mean ").add(meant->variable).add('?');
    warn("%s", storage.data());
}

void take(configuration& result, const option_row& about, std::string_view value) noexcept {
    std::array<char, option_message_size> reason;
    if (result.set(about.id, value, origin::variable, reason.data(), reason.size()))
        return;
    std::array<char, 32> storage;
    const std::string_view used = result.display(about.id, storage);
    warn("%s; %.*s is used instead", reason.data(), static_cast<int>(used.size()), used.data());
}

constinit configuration the_configuration;
pthread_once_t read_once = PTHREAD_ONCE_INIT;

void read_process_environment() noexcept {
    if (::getauxval(AT_SECURE) == 0 && environ != nullptr)
        read_environment(the_configuration, environ);
}

}  // namespace

void read_environment(configuration& result, const char* const* environment) noexcept {
    std::array<bool, option_count> seen{};
    for (; *environment != nullptr; ++environment) {
        std::string_view value = *environment;
        const bool ours = value.starts_with("TEFF_") && !value.starts_with("TEFF_BENCH_");
        if (!ours || value.find('=') == std::string_view::npos)
            continue;
        const std::string_view variable = take_until(value, '=');
        const option_row* const about = find_variable(variable);
        if (about == nullptr) {
            warn_unknown(variable);
        } else if (!seen[about->id.place()]) {
            seen[about->id.place()] = true;
            take(result, *about, value);
        }
    }
}

const configuration& process_configuration() noexcept {
    ::pthread_once(&read_once, [] { read_process_environment(); });
    return the_configuration;
}

}  // namespace teff
