// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hash table with open addressing; see traced_names.hpp. Its names are from malloc(), as the demangler's are.
#include <teff/observe/traced_names.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/escaped_text.hpp>
#include <teff/observe/function_text.hpp>
#include <teff/observe/symbol_file.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <memory>
#include <optional>

namespace teff {
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
