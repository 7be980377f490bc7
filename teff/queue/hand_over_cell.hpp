// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Room for one item that one thread puts in and another takes out: the stolen-task cell of X-OpenMP, section 4.1.
//
//   put           a giver, when the cell is known to be empty; one at a time
//   get, clear    the taker
//   is_full       any thread
// Who may give when is agreed by others (steal_request.hpp). The destructor destroys an item that is left.
#pragma once

#include <teff/base/atomic.hpp>

#include <memory>
#include <new>
#include <utility>

namespace teff {

template <class T>
class hand_over_cell {
public:
    hand_over_cell() noexcept {}
    hand_over_cell(const hand_over_cell&) = delete;
    hand_over_cell& operator=(const hand_over_cell&) = delete;
    ~hand_over_cell() {
        if (is_full())
            std::destroy_at(&item_);
    }

    // Passes on what T's move throws; the cell is then still empty.
    void put(T&& item) {
        ::new (static_cast<void*>(&item_)) T(std::move(item));
        // release: publishes the item; partner: the acquire in is_full().
        full_.store(1, std::memory_order_release);
    }
    // The item, or nullptr if there is none. It stays until clear().
    T* get() noexcept { return is_full() ? &item_ : nullptr; }
    void clear() noexcept {
        std::destroy_at(&item_);
        // relaxed: the next giver learns that the cell is empty by what tells it to give.
        full_.store(0, std::memory_order_relaxed);
    }
    bool is_full() const noexcept {
        // acquire: sees the item; partner: the release in put().
        return full_.load(std::memory_order_acquire) != 0;
    }

private:
    atomic<unsigned> full_{0};
    union {
        T item_;
    };
};

}  // namespace teff
