// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds a row by name. At compile time it checks that each row has what its type needs, and that the schedulers' rows
// name options that exist.
#include <teff/options/option_table.hpp>

#include <teff/base/names.hpp>
#include <teff/machine/topology.hpp>

namespace teff {
namespace {

using namespace option_rows;

static_assert(max_option_text >= max_synthetic_text);

constexpr bool is_consistent(const option_row& each) {
    if (!std::string_view(each.variable).starts_with("TEFF_") || std::string_view(each.name).empty())
        return false;
    switch (each.type) {
    case integer: return each.minimum >= 0 && each.minimum < each.maximum;
    case choice: return !each.choices.empty();
    case text: break;
    }
    return each.accepts != nullptr && each.form != nullptr;
}

constexpr bool are_consistent() {
    for (const option_row& each : all)
        if (!is_consistent(each))
            return false;
    return true;
}
static_assert(are_consistent());

constexpr bool is_name(const char* option) {
    for (const option_row& each : all)
        if (std::string_view(each.name) == option)
            return true;
    return false;
}

constexpr bool are_named_by_schedulers() {
    for (const scheduler_traits& scheduler : schedulers()) {
        for (const char* const each : scheduler.options)
            if (each != nullptr && !is_name(each))
                return false;
        if ((scheduler.bound != nullptr && !is_name(scheduler.bound)) ||
            (scheduler.idle_cycles != nullptr && !is_name(scheduler.idle_cycles)))
            return false;
    }
    return true;
}
static_assert(are_named_by_schedulers());

constexpr char without_dash(char character) noexcept { return character == '-' ? '_' : character; }

// Compares with dashes as underscores.
bool same_name(std::string_view written, std::string_view name) noexcept {
    if (written.size() != name.size())
        return false;
    for (std::size_t index = 0; index < name.size(); ++index)
        if (without_dash(written[index]) != name[index])
            return false;
    return true;
}

// "TEFF_MAX_QUEUED", "max-queued" and "max_queued" all become "max_queued"; false if it does not fit.
bool as_option_name(std::string_view written, std::span<char> storage, std::string_view& name) noexcept {
    if (written.starts_with("TEFF_"))
        written.remove_prefix(5);
    if (written.size() > storage.size())
        return false;
    for (std::size_t index = 0; index < written.size(); ++index) {
        const char character = without_dash(written[index]);
        storage[index] = character >= 'A' && character <= 'Z' ? static_cast<char>(character - 'A' + 'a') : character;
    }
    name = {storage.data(), written.size()};
    return true;
}

}  // namespace

bool option_rows::is_shape(std::string_view written) noexcept { return parse_synthetic_shape(written).has_value(); }

bool option_rows::is_json_file(std::string_view written) noexcept {
    return written.ends_with(".json") && written.find('\0') == std::string_view::npos;
}

bool option_rows::is_graph_file(std::string_view written) noexcept {
    return is_json_file(written) || (written.ends_with(".dot") && written.find('\0') == std::string_view::npos);
}

std::span<const option_row> option_table() noexcept { return all; }

const option_row& row(option which) noexcept { return all[which.place()]; }

const option_row* find_option(std::string_view name) noexcept {
    for (const option_row& each : all)
        if (same_name(name, each.name))
            return &each;
    return nullptr;
}

const option_row* find_variable(std::string_view variable) noexcept {
    for (const option_row& each : all)
        if (variable == each.variable)
            return &each;
    return nullptr;
}

const option_row* nearest_option(std::string_view unknown) noexcept {
    char storage[nearest_name::max_length];
    std::string_view name;
    if (!as_option_name(unknown, storage, name))
        return nullptr;
    nearest_name nearest(name);
    const option_row* result = nullptr;
    for (const option_row& each : all) {
        char variable_storage[nearest_name::max_length];
        std::string_view variable_name;
        const bool fits = as_option_name(each.variable, variable_storage, variable_name);
        if (nearest.offer(each.name) || (fits && nearest.offer(variable_name)))
            result = &each;
    }
    return result;
}

}  // namespace teff
