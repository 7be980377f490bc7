// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A slot of bqueue: empty or full. One producer fills it and one consumer empties it.
//
//            empty  --fill (producer)-->  full  --clear (consumer)-->  empty
//
// A value lies in the slot and needs a flag beside it. A pointer is its own flag: nullptr means empty. fill() and
// clear() end with a release store of the flag; the partners are the acquire loads in bqueue's find_empty(),
// find_full() and may_have_items(). Any thread may call is_full().
#pragma once

#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/base/sanitizers.hpp>

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace teff {

template <class T>
class bqueue_slot {
    static_assert(std::is_nothrow_destructible_v<T>, "an item's destructor may not throw");

public:
    using claimed = T*;

    bool is_full(std::memory_order order, site where = site::current()) const noexcept {
        return full_.load(order, where);
    }

    // If the construction throws, the slot stays empty.
    template <class Given>
    void fill(Given&& item) {
        ::new (static_cast<void*>(storage_)) T(std::forward<Given>(item));
        sanitizers::happens_before(word());
        // release: the item, and the items that the producer stored before it, are visible to a consumer that sees this
        // flag or the flag of a later slot; partner: the acquire in bqueue::find_full().
        full_.store(true, std::memory_order_release);
    }

    claimed item() noexcept { return std::launder(reinterpret_cast<T*>(storage_)); }

    void clear() noexcept {
        end_life(item());
        sanitizers::happens_before(word());
        // release: the consumer's use of the item happens before the producer, which sees this flag or the flag of a
        // later slot, puts another item in its place; partner: the acquire in bqueue::find_empty(). It also publishes
        // the consumer's position; partner: the acquire in bqueue::may_have_items().
        full_.store(false, std::memory_order_release);
    }

    // The address of the word that the releases write.
    const void* word() const noexcept { return full_.address(); }

private:
    alignas(T) std::byte storage_[sizeof(T)];
    atomic<bool> full_{false};
};

template <class Target>
class bqueue_slot<Target*> {
public:
    using claimed = Target*;

    bool is_full(std::memory_order order, site where = site::current()) const noexcept {
        return item_.load(order, where) != nullptr;
    }

    void fill(Target* item) noexcept {
        TEFF_ASSERT(item != nullptr, "a null pointer was pushed");
        // release: as above, for the object that the pointer points to.
        item_.store(item, std::memory_order_release);
    }

    // relaxed: the consumer's probe of this slot or a later one has acquired the pointer.
    claimed item() const noexcept { return item_.load(std::memory_order_relaxed); }

    void clear() noexcept {
        // release: as above. It is also needed for slots that the producer does not probe itself: a relaxed store could
        // become visible after the producer's next store to such a slot, and would erase that item.
        item_.store(nullptr, std::memory_order_release);
    }

    // The same. The queue's user tells the tools of the object that the pointer points to (base/sanitizers.hpp).
    const void* word() const noexcept { return item_.address(); }

private:
    atomic<Target*> item_{nullptr};
};

}  // namespace teff
