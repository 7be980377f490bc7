// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Growing, gathering, and finding a descriptor by its number.
#include <teff/task/descriptor_pool.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/cache_line.hpp>

#include <algorithm>
#include <bit>
#include <new>

namespace teff {
namespace {

constexpr std::size_t round_up(std::size_t size, std::size_t to) noexcept { return (size + to - 1) / to * to; }

// Whether somebody is done with it; it is the creator's own then.
bool take_flag(task_descriptor& pending) noexcept {
    // acquire: sees the last use of the payload; partner: the release in finish().
    if (pending.done.load(std::memory_order_acquire) == 0)
        return false;
    // relaxed: the creator's own from here on.
    pending.done.store(0, std::memory_order_relaxed);
    return true;
}

}  // namespace

descriptor_pool::~descriptor_pool() {
    for (std::size_t i = 0; i < array_count_; ++i)
        // relaxed: nobody else is there.
        deallocate(arrays_[i].load(std::memory_order_relaxed), size_of(i) * stride_, alignment_);
}

bool descriptor_pool::open(std::size_t payload_size, std::size_t payload_alignment) noexcept {
    alignment_ = std::max(payload_alignment, cache_line_size);
    offset_ = round_up(sizeof(task_descriptor), payload_alignment);
    stride_ = round_up(offset_ + payload_size, alignment_);
    return grow();
}

std::size_t descriptor_pool::array_of(std::uint32_t index) noexcept {
    return static_cast<std::size_t>(std::bit_width(index / first_size));
}

task_descriptor* descriptor_pool::element(std::byte* array, std::uint32_t place) const noexcept {
    return std::launder(reinterpret_cast<task_descriptor*>(array + place * stride_));
}

task_descriptor& descriptor_pool::at(std::uint32_t index) noexcept {
    const std::size_t array = array_of(index);
    // acquire: sees the array's contents; partner: the release in grow().
    return *element(arrays_[array].load(std::memory_order_acquire), index - first_index(array));
}

bool descriptor_pool::grow() noexcept {
    if (array_count_ == max_arrays)
        return false;
    const std::uint32_t count = size_of(array_count_);
    auto* const memory = static_cast<std::byte*>(allocate(count * stride_, alignment_));
    if (memory == nullptr)
        return false;
    const std::uint32_t first = first_index(array_count_);
    for (std::uint32_t place = 0; place < count; ++place) {
        auto* const made = ::new (static_cast<void*>(memory + place * stride_)) task_descriptor;
        made->home = this;
        made->index = first + place;
        free_.push_back(*made);
    }
    // release: partner: the acquire in at().
    arrays_[array_count_].store(memory, std::memory_order_release);
    ++array_count_;
    return true;
}

task_descriptor* descriptor_pool::take() noexcept {
    if (free_.empty()) [[unlikely]] {
        if (pending_count_ >= gather_from_)
            gather();
        if (free_.empty() && !grow())
            gather();
        if (free_.empty())
            return nullptr;
    }
    task_descriptor& taken = *free_.first();
    free_.remove(taken);
    pending_.push_front(taken);
    ++pending_count_;
    return &taken;
}

void descriptor_pool::put_back(task_descriptor& own) noexcept {
    pending_.remove(own);
    --pending_count_;
    free_.push_front(own);
}

void descriptor_pool::gather() noexcept {
    task_descriptor* previous = nullptr;
    const auto free_previous = [&] {
        if (previous != nullptr)
            put_back(*previous);
        previous = nullptr;
    };
    pending_.find([&](task_descriptor& each) {
        free_previous();
        if (take_flag(each))
            previous = &each;
        return false;
    });
    free_previous();
    gather_from_ = std::max<std::size_t>(first_size, 2 * pending_count_);
}

void descriptor_pool::gather_oldest() noexcept {
    task_descriptor* const oldest = pending_.last();
    if (oldest == nullptr)
        return;
    if (take_flag(*oldest)) {
        put_back(*oldest);
        return;
    }
    pending_.remove(*oldest);
    pending_.push_front(*oldest);
}

void descriptor_pool::check_invariants() noexcept {
    std::size_t pending = 0;
    std::size_t free = 0;
    pending_.find([&](task_descriptor&) { return ++pending, false; });
    free_.find([&](task_descriptor&) { return ++free, false; });
    TEFF_ASSERT(pending == pending_count_, "descriptor_pool: the list of pending descriptors and its length differ");
    TEFF_ASSERT(pending + free == first_index(array_count_), "descriptor_pool: some descriptor is in no list");
}

}  // namespace teff
