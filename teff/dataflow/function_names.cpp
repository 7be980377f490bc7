// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the names of task functions, and numbers them; see function_names.hpp.
#include <teff/dataflow/function_names.hpp>

#include <teff/base/escaped_text.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>
#include <memory>

namespace teff::dataflow {
namespace {

constexpr std::size_t max_names = 1000, max_length = 200;

// The text after "F = ", without the bracket that ends the compiler's text.
std::string_view type_in(std::string_view text) {
    constexpr std::string_view mark = "F = ";
    const std::size_t begin = text.find(mark);
    if (begin == std::string_view::npos || !text.ends_with(']'))
        return text;
    text.remove_prefix(begin + mark.size());
    text.remove_suffix(1);
    return text;
}

std::string readable(const char* symbol) {
    struct free_memory {
        void operator()(char* memory) const noexcept { std::free(memory); }
    };
    int status = 0;
    const std::unique_ptr<char, free_memory> name(abi::__cxa_demangle(symbol, nullptr, nullptr, &status));
    return name == nullptr ? symbol : name.get();
}

}  // namespace

std::uint32_t function_names::find(std::string_view name) {
    name = cut_utf8(name, max_length);
    if (const auto found = numbers_.find(name); found != numbers_.end())
        return found->second;
    if (names_.size() == max_names)
        return 0;
    const auto number = static_cast<std::uint32_t>(names_.size());
    names_.emplace_back(name);
    try {
        numbers_.emplace(name, number);
    } catch (...) {
        names_.pop_back();
        throw;
    }
    return number;
}

std::string function_names::name_of(const task_function& function) {
    Dl_info found{};
    if (function.address == nullptr || ::dladdr(function.address, &found) == 0 || found.dli_fname == nullptr)
        return std::string(type_in(function.type));
    if (found.dli_sname != nullptr && found.dli_saddr == function.address)
        return readable(found.dli_sname);
    std::string_view file = found.dli_fname;
    file.remove_prefix(file.rfind('/') + 1);
    const auto offset = reinterpret_cast<std::uintptr_t>(function.address) -
                        reinterpret_cast<std::uintptr_t>(found.dli_fbase);
    std::array<char, 32> place{};
    std::snprintf(place.data(), place.size(), "+0x%zx", static_cast<std::size_t>(offset));
    return std::string(file) + place.data();
}

unsigned long long function_names::count_unloaded() noexcept {
    unsigned long long count = 0;
    // The loader passes the count with each object; the call for the first object suffices.
    ::dl_iterate_phdr([](dl_phdr_info* object, std::size_t, void* to) {
        *static_cast<unsigned long long*>(to) = object->dlpi_subs;
        return 1;
    }, &count);
    return count;
}

std::optional<std::uint32_t> function_names::known(const task_function& function, unsigned long long unloaded) const {
    const auto found = functions_.find({function.type, function.address});
    if (found == functions_.end() || found->second.unloaded != unloaded)
        return std::nullopt;
    return found->second.number;
}

std::uint32_t function_names::add(const task_function& function, unsigned long long unloaded, std::string_view name) {
    const added made{find(name), unloaded};
    const key identity{function.type, function.address};
    // The table of functions has the same bound as the names.
    if (functions_.size() < max_names || functions_.contains(identity))
        functions_.insert_or_assign(identity, made);
    return made.number;
}

}  // namespace teff::dataflow
