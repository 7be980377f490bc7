// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a reclaimer keeps for its participants: an array with one state for each, whose size is known only at run time
// and never changes; and in such a state the list of the blocks that wait for their disposal.
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/reclaim/reclaimer.hpp>

#include <cstddef>
#include <limits>
#include <new>
#include <utility>

namespace teff {

// Element should be aligned to false_sharing_range if participants write it. If there is no memory for the array (or
// its size overflows), it is empty: valid() is false and size() is 0, and the reclaimer that contains it is not
// valid() either.
template <class Element>
class participant_array {
public:
    explicit participant_array(std::size_t count) noexcept {
        if (count == 0 || count > std::numeric_limits<std::size_t>::max() / 2 / sizeof(Element))
            return;
        elements_ = static_cast<Element*>(allocate(count * sizeof(Element), alignof(Element)));
        if (elements_ == nullptr)
            return;
        size_ = count;
        for (std::size_t i = 0; i < count; ++i)
            ::new (static_cast<void*>(elements_ + i)) Element();
    }
    ~participant_array() {
        for (std::size_t i = 0; i < size_; ++i)
            elements_[i].~Element();
        if (elements_ != nullptr)
            deallocate(elements_, size_ * sizeof(Element), alignof(Element));
    }
    participant_array(const participant_array&) = delete;
    participant_array& operator=(const participant_array&) = delete;

    bool valid() const noexcept { return elements_ != nullptr; }
    std::size_t size() const noexcept { return size_; }
    Element& operator[](std::size_t i) noexcept { return elements_[i]; }
    const Element& operator[](std::size_t i) const noexcept { return elements_[i]; }
    Element* begin() noexcept { return elements_; }
    Element* end() noexcept { return elements_ + size_; }
    const Element* begin() const noexcept { return elements_; }
    const Element* end() const noexcept { return elements_ + size_; }

private:
    Element* elements_ = nullptr;
    std::size_t size_ = 0;
};

// The blocks of one participant that wait, oldest first. The list is linked through the blocks themselves, so adding
// one cannot fail. Not thread-safe. Each block is removed from the list before its dispose runs, since dispose may
// reuse the memory at once.
class retired_list {
public:
    std::size_t size() const noexcept { return size_; }

    void push_back(reclaimable& block) noexcept {
        block.next_retired = nullptr;
        (last_ != nullptr ? last_->next_retired : first_) = &block;
        last_ = &block;
        ++size_;
    }

    void dispose_all() noexcept {
        retired_list doomed = take();
        for (reclaimable* block = doomed.first_; block != nullptr;) {
            reclaimable* const next = block->next_retired;
            block->dispose(block);
            block = next;
        }
    }

    // Disposes of every block for which keep(block) is false. The other blocks keep their order.
    template <class Keep>
    void dispose_unless(Keep&& keep) noexcept {
        retired_list all = take();
        for (reclaimable* block = all.first_; block != nullptr;) {
            reclaimable* const next = block->next_retired;
            if (keep(*block))
                push_back(*block);
            else
                block->dispose(block);
            block = next;
        }
    }

    // Returns all blocks and leaves this list empty.
    retired_list take() noexcept { return std::exchange(*this, retired_list()); }

private:
    reclaimable* first_ = nullptr;
    reclaimable* last_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace teff
