// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The traits that a user gives as numbers (OpenMP 5.1, table 2.9), and the names of allocators, memory spaces and
// traits with their numbers in omp.h.
#include <teff/frontends/openmp/core/environment/allocator_traits.hpp>

#include <teff/base/assert.hpp>
#include <teff/frontends/openmp/core/environment/values.hpp>
#include <teff/machine/text.hpp>

#include <climits>

namespace teff::openmp {
namespace {

// The numbers of omp_alloctrait_key_t and omp_alloctrait_value_t.
namespace trait_key {

enum number : std::int32_t {
    sync_hint = 1,
    alignment = 2,
    access = 3,
    pool_size = 4,
    fallback_key = 5,
    fallback_data = 6,
    pinned = 7,
    partition_key = 8
};

}  // namespace trait_key
namespace trait_value {

enum number : std::uintptr_t {
    is_false = 0,
    is_true = 1,
    contended = 3,
    private_ = 6,
    all = 7,
    cgroup = 10,
    default_memory_fallback = 11,
    allocator_fallback = 14,
    environment = 15,
    interleaved = 18
};

}  // namespace trait_value

constexpr std::uintptr_t default_value = ~std::uintptr_t{0};

bool is_power_of_two(std::uintptr_t number) noexcept { return number != 0 && (number & (number - 1)) == 0; }

bool is_within(std::uintptr_t number, trait_value::number low, trait_value::number high) noexcept {
    return number >= low && number <= high;
}

// Returns the reason why the trait is wrong; nullptr if it is right.
const char* read_trait(const allocator_trait& given, allocator_traits& made) noexcept {
    const std::uintptr_t number = given.value;
    if (given.key < trait_key::sync_hint || given.key > trait_key::partition_key)
        return "the key is none of omp_alloctrait_key_t";
    if (number == default_value)
        return nullptr;
    switch (given.key) {
    case trait_key::sync_hint:
        return is_within(number, trait_value::contended, trait_value::private_) ? nullptr
                                                                                : "sync_hint is none of its values";
    case trait_key::alignment:
        made.alignment = number;
        return is_power_of_two(number) ? nullptr : "the alignment is not a power of two";
    case trait_key::access:
        return is_within(number, trait_value::all, trait_value::cgroup) ? nullptr : "access is none of its values";
    case trait_key::pool_size:
        made.pool_size = number;
        return number != 0 ? nullptr : "the pool has 0 bytes";
    case trait_key::fallback_key:
        if (!is_within(number, trait_value::default_memory_fallback, trait_value::allocator_fallback))
            return "the fallback is none of its values";
        made.on_failure = static_cast<fallback>(number - trait_value::default_memory_fallback);
        return nullptr;
    case trait_key::fallback_data:
        made.next = number;
        return nullptr;
    case trait_key::pinned:
        made.is_pinned = number == trait_value::is_true;
        return number <= trait_value::is_true ? nullptr : "pinned is neither true nor false";
    default:
        if (!is_within(number, trait_value::environment, trait_value::interleaved))
            return "the partition is none of its values";
        made.where = static_cast<partition>(number - trait_value::environment);
        return nullptr;
    }
}

}  // namespace

bool read_traits(int count, const allocator_trait* given, allocator_traits& made) noexcept {
    for (int i = 0; i < count; ++i)
        if (const char* const wrong = read_trait(given[i], made); wrong != nullptr) {
            warn("omp_init_allocator: trait %d of %d: %s; the result is omp_null_allocator", i + 1, count, wrong);
            return false;
        }
    if (made.on_failure == fallback::allocator && made.next == null_allocator) {
        warn("omp_init_allocator: the fallback is an allocator, and none is given; add the trait omp_atk_fb_data");
        return false;
    }
    return true;
}

}  // namespace teff::openmp

namespace teff::openmp::environment {
namespace {

// The index in `spaces` is the handle; in `allocators` it is the handle less one.
constexpr std::string_view allocators[] = {
    "omp_default_mem_alloc", "omp_large_cap_mem_alloc", "omp_const_mem_alloc", "omp_high_bw_mem_alloc",
    "omp_low_lat_mem_alloc", "omp_cgroup_mem_alloc",    "omp_pteam_mem_alloc", "omp_thread_mem_alloc"};
constexpr std::string_view spaces[] = {"omp_default_mem_space", "omp_large_cap_mem_space", "omp_const_mem_space",
                                       "omp_high_bw_mem_space", "omp_low_lat_mem_space"};
// The index is the key, less one.
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
