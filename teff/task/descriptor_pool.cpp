// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grows the pool, and moves returned descriptors from the list of pending ones to the free list; see
// descriptor_pool.hpp.
#include <teff/task/descriptor_pool.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/shared_data.hpp>

#include <algorithm>
#include <new>

namespace teff {
namespace {

constexpr std::size_t round_up(std::size_t size, std::size_t to) noexcept { return (size + to - 1) / to * to; }

}  // namespace

descriptor_pool::~descriptor_pool() {
    for (std::size_t i = 0; i < array_count_; ++i)
        deallocate(arrays_[i], size_of(i) * stride_, alignment_);
}

bool descriptor_pool::open(std::size_t payload_size, std::size_t payload_alignment) noexcept {
    TEFF_ASSERT(!is_open(), "a pool is opened once");
    alignment_ = std::max(payload_alignment, cache_line_size);
    stride_ = round_up(task_descriptor::payload_offset(payload_alignment) + payload_size, alignment_);
    return grow();
}

bool descriptor_pool::grow() noexcept {
    if (array_count_ == max_arrays)
        return false;
    const std::size_t count = size_of(array_count_);
    auto* const memory = static_cast<std::byte*>(allocate(count * stride_, alignment_));
    if (memory == nullptr)
        return false;
    for (std::size_t place = 0; place < count; ++place) {
        auto* const made = ::new (static_cast<void*>(memory + place * stride_)) task_descriptor;
        made->owner = this;
        free_.push_back(*made);
    }
    arrays_[array_count_++] = memory;
    return true;
}

task_descriptor* descriptor_pool::take() noexcept {
    if (free_.empty()) [[unlikely]] {
        if (pending_count_ >= gather_from_)
            gather();
        if (free_.empty() && !grow())
            gather_some();
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
    TEFF_ASSERT(own.owner == this && pending_count_ != 0, "a descriptor came back to a pool that did not give it away");
    pending_.remove(own);
    --pending_count_;
    free_.push_front(own);
}

// Whether another thread has returned this pending descriptor. If so, clears the flag.
bool descriptor_pool::is_returned(task_descriptor& pending) noexcept {
    // acquire: sees the last use of the payload; partner: the release in finish().
    if (pending.state.load(std::memory_order_acquire) != task_header::returned)
        return false;
    sanitizers::happens_after(pending.state.address());
    // relaxed: only the owner accesses it from here on.
    pending.state.store(0, std::memory_order_relaxed);
    return true;
}

void descriptor_pool::gather() noexcept {
    // The walk needs the links of the descriptor that it looks at. So a descriptor moves to the free list only after
    // the walk has reached the next one.
    task_descriptor* previous = nullptr;
    const auto free_previous = [&] {
        if (previous != nullptr)
            put_back(*previous);
        previous = nullptr;
    };
    pending_.find([&](task_descriptor& each) {
        free_previous();
        if (is_returned(each))
            previous = &each;
        return false;
    });
    free_previous();
    gather_from_ = std::max<std::size_t>(first_size, 2 * pending_count_);
}

void descriptor_pool::gather_some() noexcept {
    // Descriptors that are still in use move to the front of the list, among the newest. So the next call, which starts
    // at the end, looks at others.
    for (std::size_t left = std::min<std::size_t>(some, pending_count_); left != 0; --left) {
        task_descriptor& oldest = *pending_.last();
        if (is_returned(oldest)) {
            put_back(oldest);
        } else {
            pending_.remove(oldest);
            pending_.push_front(oldest);
        }
    }
}

void descriptor_pool::check_invariants() noexcept {
    const auto check = [](bool holds, const char* what) { TEFF_CHECK(holds, "descriptor_pool", what, "report this"); };
    std::size_t pending = 0;
    std::size_t free = 0;
    pending_.find([&](task_descriptor& each) {
        ++pending;
        check(each.owner == this, "a descriptor of another pool is pending here");
        return false;
    });
    free_.find([&](task_descriptor& each) {
        ++free;
        check(each.owner == this, "a descriptor of another pool is free here");
        // relaxed: called while no other thread uses the pool.
        check(each.state.load(std::memory_order_relaxed) == 0, "a free descriptor is still marked as returned");
        return false;
    });
    check(pending == pending_count_, "the list of pending descriptors and its length differ");
    check(pending + free == size(), "some descriptor is in no list");
}

namespace {

std::size_t alignment_of_large(std::size_t payload_alignment) noexcept {
    return std::max(payload_alignment, cache_line_size);
}
std::size_t size_of_large(std::size_t payload_size, std::size_t payload_alignment) noexcept {
    return task_descriptor::payload_offset(payload_alignment) + payload_size;
}

}  // namespace

// Returns class_count if no pool has room for the payload.
std::size_t task_pools::class_for(std::size_t size, std::size_t alignment) noexcept {
    if (alignment > cache_line_size)
        return class_count;
    const std::size_t padding = task_descriptor::payload_offset(alignment) - task_descriptor::payload_offset(1);
    std::size_t found = 0;
    while (found < class_count && size + padding > room_of(found))
        ++found;
    return found;
}

task_descriptor* task_pools::take(std::size_t payload_size, std::size_t payload_alignment) noexcept {
    const std::size_t size_class = class_for(payload_size, payload_alignment);
    if (size_class == class_count) {
        void* const memory = allocate(size_of_large(payload_size, payload_alignment),
                                      alignment_of_large(payload_alignment));
        return memory == nullptr ? nullptr : ::new (memory) task_descriptor;
    }
    descriptor_pool& pool = pools_[size_class];
    if (!pool.is_open() && !pool.open(room_of(size_class), 1)) [[unlikely]]
        return nullptr;
    return pool.take();
}

void task_pools::put_back(task_descriptor& own, std::size_t payload_size, std::size_t payload_alignment) noexcept {
    if (own.owner != nullptr) {
        own.owner->put_back(own);
        return;
    }
    own.~task_descriptor();
    deallocate(&own, size_of_large(payload_size, payload_alignment), alignment_of_large(payload_alignment));
}

void task_pools::finish(task_descriptor& ended, task_pools* mine, std::size_t payload_size,
                        std::size_t payload_alignment) noexcept {
    if (ended.owner == nullptr || (mine != nullptr && mine->owns(ended)))
        put_back(ended, payload_size, payload_alignment);
    else
        descriptor_pool::finish(ended);
}

std::size_t task_pools::pending() const noexcept {
    std::size_t sum = 0;
    for (const descriptor_pool& each : pools_)
        sum += each.pending();
    return sum;
}

void task_pools::gather_some() noexcept {
    for (descriptor_pool& each : pools_)
        each.gather_some();
}

}  // namespace teff
