// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes, returns and combines the private copies; see private_copies.hpp.
#include <teff/dataflow/private_copies.hpp>

#include <teff/base/allocation.hpp>
#include <teff/fork_join.hpp>
#include <teff/frontends/fork_join/group_task.hpp>

#include <memory>
#include <new>
#include <utility>

namespace teff::dataflow {
namespace {

// Values of at least this many bytes are combined in parallel.
constexpr std::size_t large = 4096;

}  // namespace

private_copies::private_copies(value_function value, reduction_function by, unsigned slots)
    : value_(value), reduction_(by), slots_(slots),
      places_(static_cast<place*>(allocate(slots * sizeof(place), alignof(place)))) {
    if (places_ == nullptr)
        throw std::bad_alloc();
    std::uninitialized_value_construct_n(places_, slots);
}

private_copies::~private_copies() {
    for (unsigned slot = 0; slot != slots_; ++slot)
        destroy(places_[slot].copy);
    deallocate(places_, slots_ * sizeof(place), alignof(place));
}

void* private_copies::take(unsigned slot) {
    if (void* const kept = std::exchange(places_[slot].copy, nullptr))
        return kept;
    const std::size_t size = value_(value_action::size, nullptr, nullptr);
    const std::size_t alignment = value_(value_action::alignment, nullptr, nullptr);
    void* const memory = allocate(size, alignment);
    if (memory == nullptr)
        throw std::bad_alloc();
    try {
        reduction_(reduction_action::make_identity, memory, nullptr);
    } catch (...) {
        deallocate(memory, size, alignment);
        throw;
    }
    return memory;
}

void private_copies::put(unsigned slot, void* copy) {
    void*& kept = places_[slot].copy;
    if (kept == nullptr) {
        kept = copy;
        return;
    }
    try {
        reduction_(reduction_action::combine, kept, copy);
    } catch (...) {
        destroy(copy);
        throw;
    }
    destroy(copy);
}

void private_copies::destroy(void* copy) noexcept {
    if (copy == nullptr)
        return;
    value_(value_action::destroy, copy, nullptr);
    deallocate(copy, value_(value_action::size, nullptr, nullptr), value_(value_action::alignment, nullptr, nullptr));
}

// Combines the copies of these slots into one of them, and returns it; nullptr if there is none. No copy is freed.
void* private_copies::combine_range(unsigned begin, unsigned end, bool in_parallel) {
    if (end - begin == 1)
        return places_[begin].copy;
    const unsigned middle = begin + (end - begin) / 2;
    void* left = nullptr;
    void* right = nullptr;
    if (in_parallel) {
        fork_join([&] { left = combine_range(begin, middle, true); },
                  [&] { right = combine_range(middle, end, true); });
    } else {
        left = combine_range(begin, middle, false);
        right = combine_range(middle, end, false);
    }
    if (left != nullptr && right != nullptr)
        reduction_(reduction_action::combine, left, right);
    return left != nullptr ? left : right;
}

void private_copies::combine_into(void* value) {
    // A team that is stopping starts no forks.
    const bool in_parallel = value_(value_action::size, nullptr, nullptr) >= large && !forking::is_team_stopping();
    if (void* const sum = combine_range(0, slots_, in_parallel))
        reduction_(reduction_action::combine, value, sum);
    for (unsigned slot = 0; slot != slots_; ++slot)
        destroy(std::exchange(places_[slot].copy, nullptr));
}

}  // namespace teff::dataflow
