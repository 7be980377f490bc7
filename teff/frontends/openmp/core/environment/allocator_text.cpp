// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of allocators, memory spaces and traits, with the numbers of omp.h.
#include <teff/frontends/openmp/core/environment/allocator_text.hpp>

#include <teff/frontends/openmp/core/environment/values.hpp>
#include <teff/machine/text.hpp>

#include <climits>

namespace teff::openmp::environment {
namespace {

// The place in each list is the handle, less one for the allocators.
constexpr std::string_view allocators[] = {
    "omp_default_mem_alloc", "omp_large_cap_mem_alloc", "omp_const_mem_alloc", "omp_high_bw_mem_alloc",
    "omp_low_lat_mem_alloc", "omp_cgroup_mem_alloc",    "omp_pteam_mem_alloc", "omp_thread_mem_alloc"};
constexpr std::string_view spaces[] = {"omp_default_mem_space", "omp_large_cap_mem_space", "omp_const_mem_space",
                                       "omp_high_bw_mem_space", "omp_low_lat_mem_space"};
// The place is the key, less one.
constexpr std::string_view keys[] = {"sync_hint", "alignment", "access", "pool_size",
                                     "fallback",  "fb_data",   "pinned", "partition"};

struct named_value {
    std::string_view name;
    std::uint32_t key;
    std::uintptr_t value;
};
constexpr named_value values[] = {
    {"contended", 1, 3},      {"uncontended", 1, 4},   {"serialized", 1, 5},   {"private", 1, 6},
    {"all", 3, 7},            {"thread", 3, 8},        {"pteam", 3, 9},        {"cgroup", 3, 10},
    {"default_mem_fb", 5, 11}, {"null_fb", 5, 12},     {"abort_fb", 5, 13},    {"allocator_fb", 5, 14},
    {"environment", 8, 15},   {"nearest", 8, 16},      {"blocked", 8, 17},     {"interleaved", 8, 18}};

bool parse_value(std::string_view text, std::uint32_t key, std::uintptr_t& result) noexcept {
    constexpr std::uint32_t alignment = 2, pool_size = 4, fallback_data = 6, pinned = 7;
    if (key == alignment || key == pool_size) {
        long number = 0;
        if (!parse_integer(text, 1, LONG_MAX, number) || (key == alignment && (number & (number - 1)) != 0))
            return false;
        result = static_cast<std::uintptr_t>(number);
        return true;
    }
    if (key == pinned) {
        bool is_pinned = false;
        const bool is_valid = parse_boolean(text, is_pinned);
        result = is_pinned ? 1 : 0;
        return is_valid;
    }
    if (key == fallback_data) {
        unsigned which = 0;
        const bool is_valid = parse_word(text, allocators, which);
        result = which + 1;
        return is_valid;
    }
    for (const named_value& each : values)
        if (each.key == key && is_word(text, each.name)) {
            result = each.value;
            return true;
        }
    return false;
}

}  // namespace

bool parse_allocator(std::string_view text, allocator_text& result) noexcept {
    allocator_text read;
    unsigned which = 0;
    if (parse_word(text, allocators, which)) {
        read.allocator = which + 1;
        result = read;
        return true;
    }
    bool more = text.find(':') != std::string_view::npos;
    if (!parse_word(take_until(text, ':'), spaces, which))
        return false;
    read.space = which;
    read.allocator = which + 1;
    while (more) {
        more = text.find(',') != std::string_view::npos;
        std::string_view value = take_until(text, ',');
        allocator_trait added{};
        if (read.trait_count == read.traits.size() || !parse_word(take_until(value, '='), keys, which) ||
            !parse_value(value, which + 1, added.value))
            return false;
        added.key = static_cast<std::int32_t>(which + 1);
        read.traits[read.trait_count++] = added;
    }
    result = read;
    return true;
}

}  // namespace teff::openmp::environment
