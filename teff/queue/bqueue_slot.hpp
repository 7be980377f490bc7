// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A slot of bqueue: empty or full, one producer's to fill and one consumer's to empty.
//
//            empty  --fill (producer)-->  full  --clear (consumer)-->  empty
//
// Values live inside and need a flag beside them; a pointer is its own flag, empty is nullptr. Filling ends with a
// release store that says so, and so does emptying; their partners are the acquiring looks of bqueue. Anybody may ask
// is_full().
#pragma once

#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>

#include <cstddef>
#include <memory>
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

    // Still empty if the construction throws.
    template <class Given>
    void fill(Given&& item) {
        ::new (static_cast<void*>(storage_)) T(std::forward<Given>(item));
        // release: the item, and those that the producer stored before it, are visible to the consumer that sees this
        // flag or a later one.
        full_.store(true, std::memory_order_release);
    }

    claimed item() noexcept { return std::launder(reinterpret_cast<T*>(storage_)); }

    void clear() noexcept {
        std::destroy_at(item());
        // release: the consumer's use of the item happens before the producer, which sees this flag or a later one,
        // puts another in its place. Also orders the consumer's position for may_have_items().
        full_.store(false, std::memory_order_release);
    }

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
        // release: as above; the item is what the pointer leads to.
        item_.store(item, std::memory_order_release);
    }

    // relaxed: the consumer's look at this slot or a later one has acquired it.
    claimed item() const noexcept { return item_.load(std::memory_order_relaxed); }

    void clear() noexcept {
        // release: as above. Were it relaxed, the store could come after the producer's next one of a slot that it has
        // not looked at itself, and would wipe out that item.
        item_.store(nullptr, std::memory_order_release);
    }

private:
    atomic<Target*> item_{nullptr};
};

}  // namespace teff
