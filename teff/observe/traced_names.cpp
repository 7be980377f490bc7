// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shortens the symbols of functions to names, and keeps the names in a hash table with open addressing; see
// traced_names.hpp. The names are from malloc(), as the demangler's are.
#include <teff/observe/traced_names.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/escaped_text.hpp>
#include <teff/observe/symbol_file.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <initializer_list>
#include <memory>
#include <optional>

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

namespace {

constexpr std::size_t max_name_length = 200;

// An escape of JSON makes at most six bytes of one.
using name_buffer = std::array<char, 6 * max_name_length + 1>;

void name_text(std::string_view text, name_buffer& to) noexcept {
    write_json_text(to.data(), to.size(), cut_utf8(text, max_name_length));
}

void name_symbol(std::string_view symbol, name_buffer& to) noexcept {
    // The demangler needs a zero-terminated text, and a damaged symbol table may contain another.
    std::array<char, 4096> copy;
    if (symbol.size() >= copy.size())
        return name_text(symbol, to);
    symbol.copy(copy.data(), symbol.size());
    copy[symbol.size()] = '\0';
    int status = 0;
    char* const readable = abi::__cxa_demangle(copy.data(), nullptr, nullptr, &status);
    name_text(readable == nullptr ? symbol : user_part(readable), to);
    std::free(readable);
}

void name_place(const void* what, const loaded_place* where, name_buffer& to) noexcept {
    std::array<char, max_name_length> text;
    const auto address = reinterpret_cast<std::uintptr_t>(what);
    if (where == nullptr) {
        std::snprintf(text.data(), text.size(), "0x%zx", static_cast<std::size_t>(address));
    } else {
        const char* const slash = std::strrchr(where->file, '/');
        std::snprintf(text.data(), text.size(), "%.100s+0x%zx", slash == nullptr ? where->file : slash + 1,
                      static_cast<std::size_t>(address - where->bias));
    }
    name_text(text.data(), to);
}

}  // namespace

void write_json_text(char* to, std::size_t size, std::string_view text) noexcept {
    std::size_t length = 0;
    bool is_full = false;
    escape_json(text, [&](std::string_view piece) noexcept {
        is_full = is_full || length + piece.size() >= size;
        if (is_full)
            return;
        std::memcpy(to + length, piece.data(), piece.size());
        length += piece.size();
    });
    to[length] = '\0';
}

traced_names::~traced_names() {
    for (std::size_t place = 0; place < capacity_; ++place)
        std::free(entries_[place].name);
    deallocate(entries_, capacity_ * sizeof(entry), alignof(entry));
}

// The entry of `what`, or the free entry for it. There is always a free one.
traced_names::entry& traced_names::place_of(const void* what) const noexcept {
    std::size_t place = (reinterpret_cast<std::uintptr_t>(what) >> 2) * 0x9e3779b97f4a7c15ULL >> 32;
    while (entries_[place & (capacity_ - 1)].what != nullptr && entries_[place & (capacity_ - 1)].what != what)
        ++place;
    return entries_[place & (capacity_ - 1)];
}

bool traced_names::grow() noexcept {
    const std::size_t larger = capacity_ == 0 ? 256 : 2 * capacity_;
    auto* const made = static_cast<entry*>(allocate(larger * sizeof(entry), alignof(entry)));
    if (made == nullptr)
        return false;
    std::uninitialized_value_construct_n(made, larger);
    entry* const before = entries_;
    const std::size_t before_capacity = capacity_;
    entries_ = made;
    capacity_ = larger;
    for (std::size_t place = 0; place < before_capacity; ++place)
        if (before[place].what != nullptr)
            place_of(before[place].what) = before[place];
    if (before != nullptr)
        deallocate(before, before_capacity * sizeof(entry), alignof(entry));
    return true;
}

bool traced_names::add(const void* what, bool is_text) noexcept {
    if (what == nullptr)
        return true;
    if (2 * count_ >= capacity_ && !grow())
        return false;
    entry& found = place_of(what);
    if (found.what == nullptr) {
        found = {what, is_text, nullptr};
        ++count_;
    }
    return true;
}

void traced_names::find_all() noexcept {
    // Most functions are in the same file, so the last file stays open.
    std::optional<symbol_file> symbols;
    loaded_place opened{};
    for (std::size_t place = 0; place < capacity_; ++place) {
        entry& each = entries_[place];
        if (each.what == nullptr || each.name != nullptr)
            continue;
        name_buffer name;
        loaded_place where{};
        const bool is_loaded = find_loaded_place(each.what, where);
        if (each.is_text) {
            name_text(is_loaded ? static_cast<const char*>(each.what) : "a label of a closed library", name);
        } else {
            if (is_loaded && (!symbols || std::strcmp(opened.file, where.file) != 0)) {
                symbols.emplace(where.file);
                opened = where;
            }
            const std::string_view symbol =
                is_loaded ? symbols->at(reinterpret_cast<std::uintptr_t>(each.what) - where.bias) : std::string_view();
            if (symbol.empty())
                name_place(each.what, is_loaded ? &where : nullptr, name);
            else
                name_symbol(symbol, name);
        }
        each.name = ::strdup(name.data());
    }
}

const char* traced_names::of(const void* what) const noexcept {
    if (what == nullptr || capacity_ == 0)
        return "?";
    const entry& found = place_of(what);
    return found.name != nullptr ? found.name : "?";
}

}  // namespace teff
