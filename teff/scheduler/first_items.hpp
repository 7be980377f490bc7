// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The items that a team starts with, for schedulers whose members cannot take items from each other: a member that
// has nothing to do takes the next one.
//
//   add         the caller, before the team opens
//   take, any   any member
// The opening of the team (the pool's mutex) orders every add() before the members' calls.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/queue/kept_items.hpp>

#include <cstddef>
#include <utility>

namespace teff {

template <class T>
class first_items {
public:
    // Moves the item in; throws what that throws, or std::bad_alloc, with the item untouched.
    void add(T& item) { items_.add(std::move(item)); }

    // relaxed: a hint, and the items are constant.
    bool any() const noexcept { return next_.load(std::memory_order_relaxed) < items_.size(); }
    // Returns an item that belongs to the calling member from now on, to be moved from; or nullptr. The item is
    // destroyed with this object.
    T* take() noexcept { return any() ? take_next() : nullptr; }

private:
    // Out of line, since it contains a read-modify-write.
    [[gnu::noinline, gnu::cold]] T* take_next() noexcept {
        // relaxed: only the index matters; the items are constant.
        const std::size_t mine = next_.fetch_add(1, std::memory_order_relaxed);
        return mine < items_.size() ? &items_[mine] : nullptr;
    }

    kept_items<T> items_;
    alignas(false_sharing_range) atomic<std::size_t> next_{0};
};

}  // namespace teff
