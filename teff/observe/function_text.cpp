// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shortens the symbols of functions to names for the trace; see function_text.hpp.
#include <teff/observe/function_text.hpp>

#include <initializer_list>

namespace teff {
namespace {

// A template of this library, by the beginning of its name, and the number of the template argument that is the user's
// function; or a function and the text that replaces its name.
struct runner {
    std::string_view prefix;
    std::size_t argument;
    std::string_view instead = {};
};
constexpr runner runners[] = {
    {"teff::forking::group_task<", 1},
    {"teff::forking::child<", 0},
    {"teff::forking::arena_task<", 1},
    {"teff::threads::fiber_of<", 0},
    {"teff::dataflow::function_task<", 0},
    {"vtable for teff::reducing::reduction_team<", 1},
    {"vtable for teff::tree_combination", 0, "combination of partial results"},
    {"teff::schedule_awaitable::", 0, "coroutine"},
    {"teff::forking::arena_awaitable::", 0, "coroutine"},
    {"teff::coroutines::", 0, "coroutine"},
    {"teff::threads::fiber_state::", 0, "fiber"},
};
// Functions of this library that call the user's.
constexpr std::string_view callers[] = {"teff::execute<", "teff::isolate<", "teff::forking::call_through<"};

bool is_open(char each) noexcept { return each == '<' || each == '(' || each == '{' || each == '['; }
bool is_close(char each) noexcept { return each == '>' || each == ')' || each == '}' || each == ']'; }

// Not std::string_view::substr(), which may throw: this file is a part of the core.
std::string_view without(std::string_view text, std::size_t first) noexcept {
    text.remove_prefix(first);
    return text;
}
// The length of the operator's sign at this place, if an operator function's name has one there. Brackets in such a
// sign do not nest.
std::size_t operator_sign(std::string_view text, std::size_t place) noexcept {
    if (!std::string_view(text.data(), place).ends_with("operator"))
        return 0;
    const std::string_view rest = without(text, place);
    for (const std::string_view sign : {"()", "[]", "<=>", "<<", ">>", "->", "<", ">"})
        if (rest.starts_with(sign))
            return sign.size();
    return 0;
}

std::string_view trimmed(std::string_view text) noexcept {
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' ') || text.ends_with('&'))
        text.remove_suffix(1);
    return text;
}

}  // namespace

std::string_view template_argument(std::string_view arguments, std::size_t number) noexcept {
    std::size_t depth = 0;
    std::size_t begin = 0;
    for (std::size_t place = 0; place < arguments.size(); ++place) {
        if (const std::size_t sign = operator_sign(arguments, place)) {
            place += sign - 1;
            continue;
        }
        const char each = arguments[place];
        if (each == '>' && place != 0 && arguments[place - 1] == '-')
            continue;
        const bool is_end = depth == 0 && (each == ',' || is_close(each));
        if (is_end && number == 0)
            return trimmed({arguments.data() + begin, place - begin});
        if (is_end && each != ',')
            return {};
        if (is_end) {
            --number;
            begin = place + 1;
        } else if (is_open(each)) {
            ++depth;
        } else if (is_close(each)) {
            --depth;
        }
    }
    return {};
}

namespace {

// The text up to the bracket that closes its first one.
std::string_view up_to_close(std::string_view text) noexcept {
    const std::size_t open = text.find('<');
    if (open == std::string_view::npos)
        return text;
    const std::string_view arguments = without(text, open + 1);
    std::size_t number = 0;
    const char* end = arguments.data();
    for (std::string_view each = template_argument(arguments, 0); !each.empty();
         each = template_argument(arguments, ++number))
        end = each.data() + each.size();
    const auto size = static_cast<std::size_t>(end - text.data());
    return size < text.size() ? std::string_view(text.data(), size + 1) : text;
}

// For a task of an algorithm: the user's call of the algorithm, if the name contains it, otherwise the algorithm.
std::string_view algorithm_part(std::string_view name) noexcept {
    constexpr std::string_view own = "teff::algorithm::";
    constexpr std::string_view call = "teff::parallel_", part = "teff::algorithm::parallel_";
    if (!name.starts_with(own))
        return name;
    if (const std::size_t found = name.find(call); found != std::string_view::npos)
        return up_to_close(without(name, found));
    if (const std::size_t found = name.find(part); found != std::string_view::npos)
        name = without(name, found);
    return {name.data(), name.find('<') < name.size() ? name.find('<') : name.size()};
}

}  // namespace

std::string_view user_part(std::string_view demangled) noexcept {
    for (const runner& each : runners) {
        if (!demangled.starts_with(each.prefix))
            continue;
        if (!each.instead.empty())
            return each.instead;
        const std::string_view part = template_argument(without(demangled, each.prefix.size()), each.argument);
        return part.empty() ? demangled : user_part(part);
    }
    for (const std::string_view prefix : callers) {
        const std::size_t found = demangled.find(prefix);
        if (found == std::string_view::npos)
            continue;
        const std::string_view part = template_argument(without(demangled, found + prefix.size()), 0);
        if (!part.empty())
            return user_part(part);
    }
    return algorithm_part(demangled);
}

}  // namespace teff
