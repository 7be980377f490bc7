// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the traits that a user gives (OpenMP 5.1, table 2.9).
#include <teff/frontends/openmp/core/environment/allocator_traits.hpp>

#include <teff/base/assert.hpp>

namespace teff::openmp {
namespace {

// The numbers of omp_alloctrait_key_t and omp_alloctrait_value_t.
enum key : std::int32_t {
    sync_hint = 1,
    alignment = 2,
    access = 3,
    pool_size = 4,
    fallback_key = 5,
    fallback_data = 6,
    pinned = 7,
    partition_key = 8
};
enum value : std::uintptr_t {
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
constexpr std::uintptr_t default_value = ~std::uintptr_t{0};

bool is_power_of_two(std::uintptr_t number) noexcept { return number != 0 && (number & (number - 1)) == 0; }

bool is_within(std::uintptr_t number, value low, value high) noexcept { return number >= low && number <= high; }

// Returns why the trait is wrong; nullptr if it is right.
const char* read_trait(const allocator_trait& given, allocator_traits& made) noexcept {
    const std::uintptr_t number = given.value;
    if (given.key < sync_hint || given.key > partition_key)
        return "the key is none of omp_alloctrait_key_t";
    if (number == default_value)
        return nullptr;
    switch (given.key) {
        case sync_hint:
            return is_within(number, contended, private_) ? nullptr : "sync_hint is none of its values";
        case alignment:
            made.alignment = number;
            return is_power_of_two(number) ? nullptr : "the alignment is not a power of two";
        case access:
            return is_within(number, all, cgroup) ? nullptr : "access is none of its values";
        case pool_size:
            made.pool_size = number;
            return number != 0 ? nullptr : "the pool has 0 bytes";
        case fallback_key:
            if (!is_within(number, default_memory_fallback, allocator_fallback))
                return "the fallback is none of its values";
            made.on_failure = static_cast<fallback>(number - default_memory_fallback);
            return nullptr;
        case fallback_data:
            made.next = number;
            return nullptr;
        case pinned:
            made.is_pinned = number == is_true;
            return number == is_true || number == is_false ? nullptr : "pinned is neither true nor false";
        default:
            if (!is_within(number, environment, interleaved))
                return "the partition is none of its values";
            made.where = static_cast<partition>(number - environment);
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
