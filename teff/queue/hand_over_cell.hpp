// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cell for one item, which a victim puts in and a thief takes out: the stolen-task cell of X-OpenMP, section 4.1.
//
//   put           a victim that knows the cell to be empty; one thread at a time
//   get, clear    the taker: the thief, or a thread that takes for it; one thread at a time
//   is_full       any thread
// steal_request.hpp decides which victim may put an item in, and when. The destructor destroys a remaining item.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/base/sanitizers.hpp>

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
            end_life(&item_);
    }

    // Passes on what T's move throws; the cell is then still empty.
    void put(T&& item) {
        sanitizers::happens_after(full_.address());
        ::new (static_cast<void*>(&item_)) T(std::move(item));
        sanitizers::happens_before(full_.address());
        // release: publishes the item; partner: the acquire in is_full().
        full_.store(1, std::memory_order_release);
    }
    // The item, or nullptr if there is none. It stays until clear().
    T* get() noexcept {
        if (!is_full())
            return nullptr;
        sanitizers::happens_after(full_.address());
        return &item_;
    }
    void clear() noexcept {
        end_life(&item_);
        sanitizers::happens_before(full_.address());
        // relaxed: the next request, which permits a victim to put an item in, also tells it that the cell is empty.
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
