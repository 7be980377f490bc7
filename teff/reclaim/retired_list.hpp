// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list of the blocks that wait for their disposal, oldest first. It is linked through the blocks themselves, so
// adding one cannot fail.
//
// A list belongs to one participant of a reclaimer and is not thread-safe. Each block is removed from the list before
// its dispose runs, since dispose may reuse the memory at once.
#pragma once

#include <teff/reclaim/reclaimer.hpp>

#include <cstddef>
#include <utility>

namespace teff {

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
