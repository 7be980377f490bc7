// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks vacant slots that have items. Each slot has a queue for each producer. To check all queues of all vacant slots
// would move N x N x 2 cache lines, so idle members check only where there is a mark.
//
// There is a set of slots, and for each slot a set of its queues. Both are words of 64 bits; number n has bit n % 64.
// A mark is a hint: the marked queue may be empty.
//
//   mark        any thread, after it has queued an item in a slot that may be vacant
//   mark_left   the slot's member, after it has given up the consumer token and executed a seq_cst fence
//   forget      the next member, when it has the token
//   visit       any member, for the slots of others
//   any, has_marks   any thread; hints
//
// A mark is not lost. A slot that has marks is in the set of slots, unless
//   - a member attends it. The member looks into all its queues, and mark_left() puts the slot back into the set.
//   - a visitor has taken it out. The visitor puts the slot back if marks remain, and drops it only if the slot has no
//     mark, or has a member. A visitor never mistakes a member that left before the mark for a present one: mark()
//     synchronizes with an earlier mark_left() through the slot's word, and the visitor with mark() through the set.
// All changes are read-modify-writes, so a thread that takes marks synchronizes with all threads that have set them.
//
// Rejected: one mark for each slot, without its queues: each visitor would look into N queues to find one item.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/scheduler/member_registry.hpp>
#include <teff/scheduler/slots.hpp>

#include <cstdint>

namespace teff {

class late_items {
public:
    // A set of slots, or of queues.
    using set = std::uint64_t;
    static constexpr unsigned set_size = 64;
    static constexpr set all = ~set{0};
    static constexpr set only(unsigned number) noexcept { return set{1} << number % set_size; }
    static constexpr bool contains(set some, unsigned number) noexcept { return (some & only(number)) != 0; }

    // 1..4096 slots; throws std::bad_alloc.
    explicit late_items(unsigned slots) : places_(slots) {}

    void mark(unsigned slot, set queues) noexcept {
        // release: the item is visible to the visitor that takes the mark, and to a member that has cleared the mark
        // and checks its queues; partners: the acquire in visit(), and the fence before mark_left(). acquire: passes on
        // that the slot's last member has left; partner: its fence before mark_left().
        places_[slot].marked.fetch_or(queues, std::memory_order_acq_rel);
        put_back(only(slot));
    }
    // queues: those that have items.
    void mark_left(unsigned slot, set queues) noexcept {
        // relaxed: the fence before it publishes that the token was given up; partner: the acquire in mark(). A visitor
        // acquires the items from the threads that have marked them.
        if ((places_[slot].marked.fetch_or(queues, std::memory_order_relaxed) | queues) != 0)
            put_back(only(slot));
    }
    void forget(unsigned slot) noexcept {
        // An unseen mark stays, and makes a visitor look here in vain after the member has left.
        if (has_marks(slot))
            // relaxed: the fence before mark_left() makes an acquire of it, so that the member's look when it leaves
            // sees the items; partner: the release in mark().
            places_[slot].marked.exchange(0, std::memory_order_relaxed);
        // relaxed: as above.
        if (places_.size() <= set_size && contains(slots_.load(std::memory_order_relaxed), slot))
            // relaxed: mark_left() puts the slot back if it has marks.
            slots_.fetch_and(~only(slot), std::memory_order_relaxed);
    }

    // relaxed, both: hints. A thread that will sleep looks again after a fence.
    bool any() const noexcept { return slots_.load(std::memory_order_relaxed) != 0; }
    bool has_marks(unsigned slot) const noexcept { return places_[slot].marked.load(std::memory_order_relaxed) != 0; }

    // Takes the consumer token of one marked slot after the other, and calls use(slot, queues) with the set of marked
    // queues, until use() returns true; returns whether it did. use() removes from the set each queue that it has found
    // or left empty. Passes on an exception of use().
    template <class Use>
    bool visit(member_registry& registry, Use&& use) {
        if (!any())
            return false;
        // acquire: sees which slots were vacant and had marks; partner: the release in put_back().
        const set taken = slots_.exchange(0, std::memory_order_acquire);
        unvisited rest{*this, taken};
        for (unsigned slot = 0, used = registry.used(); slot < used; ++slot) {
            if (!contains(taken, slot))
                continue;
            // Several slots may share a bit; the visit to the last of them removes it.
            if (slot + set_size >= used)
                rest.slots &= ~only(slot);
            consumer_token& token = registry[slot];
            if (token.is_attended() || !has_marks(slot))
                continue;
            if (!token.try_visit()) {
                // Another visitor is at this slot.
                rest.busy |= only(slot);
                continue;
            }
            // acquire: sees the items; partner: the release in mark().
            visited visit{*this, token, slot, places_[slot].marked.exchange(0, std::memory_order_acquire)};
            if (visit.queues != 0 && use(slot, visit.queues))
                return true;
        }
        return false;
    }

private:
    struct alignas(cache_line_size) place {
        atomic<set> marked{0};
    };
    // The destructors restore the marks that a visitor has taken without emptying the marked queues, also after an
    // exception.
    struct unvisited {
        late_items& all;
        set slots;
        set busy = 0;
        ~unvisited() {
            if ((slots | busy) != 0)
                all.put_back(slots | busy);
        }
    };
    struct visited {
        late_items& all;
        consumer_token& token;
        unsigned slot;
        set queues;
        ~visited() {
            token.end_visit();
            if (queues != 0)
                all.mark(slot, queues);
        }
    };

    void put_back(set slots) noexcept {
        // release: the visitor that takes a slot out of the set sees its marks, and whether it is vacant; partner: the
        // acquire in visit().
        slots_.fetch_or(slots, std::memory_order_release);
    }

    slots<place> places_;
    alignas(false_sharing_range) atomic<set> slots_{0};
};

}  // namespace teff
