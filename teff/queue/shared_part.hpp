// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shared part of a split deque: a small array, into which the owner publishes several items at once, and from which
// thieves and the owner take them.
//
// One word holds {version, head, tail}. Thieves take the oldest items by moving head up, the owner takes the newest
// back by moving tail down, both by compare-and-swap of that one word. So no two threads can win the same item, and no
// fence between two words is needed. Within a version head only grows and tail only falls. The version changes with
// every publication, so a swap based on an old view fails. (The version has 32 bits: a thief that is suspended between
// its load and its swap while one owner publishes exactly 2^32 times could win wrong slots.) Thieves never touch the
// slots from tail on, so the owner may add items there at any time. Only to restart at the first slot must it wait for
// thieves: a thief first wins items and then moves them out, and all won items must have been moved out, which thieves
// count in `moved_`.
//                        publish  take_newest  take_oldest  size     safe together?
//   publish                 -         -           yes        yes     publish, take_newest: owner only
//   take_newest                       -           yes        yes
//   take_oldest                                   yes        yes
// The memory is not freed before the team is destroyed, so a late thief may always read the word.
// Rejected: pointers to chunks, which a thief takes by an exchange (one thief takes the whole chunk, and while it runs
// a long task no other thread can take the rest); stealing in place from the owner's array (growth would need memory
// reclamation, and pop a fence).
#pragma once

#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/base/shared_data.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace teff {

// Moves a run of items to other memory: move-constructs them there, destroys them here. If a move throws, all items of
// both runs are destroyed and the exception passes on to the caller, which cancels its team. Not thread-safe: both runs
// belong to the caller.

// [from, from + count) are objects, [to, to + count) is raw memory. The runs may overlap only if T is trivially
// copyable or to < from.
template <class T>
void relocate(T* from, std::size_t count, T* to) {
    if constexpr (std::is_trivially_copyable_v<T>) {
        sanitizers::move_bytes(to, from, count * sizeof(T));
    } else {
        std::size_t done = 0;
        try {
            for (; done < count; ++done) {
                ::new (static_cast<void*>(to + done)) T(std::move(from[done]));
                end_life(from + done);
            }
        } catch (...) {
            end_lives(to, to + done);
            end_lives(from + done, from + count);
            throw;
        }
    }
}

template <class T>
class shared_part {
public:
    static constexpr unsigned capacity = static_cast<unsigned>(within<std::size_t>(4096 / sizeof(T), 4, 64));

    shared_part() noexcept = default;
    shared_part(const shared_part&) = delete;
    shared_part& operator=(const shared_part&) = delete;
    ~shared_part() {
        // relaxed: no other thread uses the team any more, and the last thief's move happened before.
        const view left = unpack(state_.load(std::memory_order_relaxed));
        end_lives(item(left.head), item(left.tail));
    }

    // Any thread. The number of items that can be taken: a hint, but exact if the owner calls this and gets 0.
    unsigned size() const noexcept {
        // acquire: an owner that sees a thief's swap also sees what the thief did before it, for example its
        // announcement that it is active; partner: the release in take_oldest().
        return unpack(state_.load(std::memory_order_acquire)).size();
    }

    // Owner: how many items publish() may add now.
    unsigned room() const noexcept {
        // relaxed: the thieves' moves matter only for a restart, and may_restart() acquires them.
        const view now = unpack(state_.load(std::memory_order_relaxed));
        return may_restart(now) ? capacity : capacity - now.tail;
    }

    // Owner: moves `count` items (1..room()) in, the oldest first, and makes them visible.
    // If a move throws, nothing becomes visible and the items are destroyed.
    void publish(T* first, unsigned count) {
        // relaxed: as in room().
        std::uint64_t seen = state_.load(std::memory_order_relaxed);
        const view old = unpack(seen);
        // Thieves do not change the word of an empty shared part, and otherwise they change only its head.
        const bool restart = may_restart(old);
        const unsigned from = restart ? 0 : old.tail;
        TEFF_ASSERT(count >= 1 && count <= capacity - from, "more items than the shared_part has room for");
        relocate(first, count, item(from));
        given_ += count;
        // release: publishes the items; partner: the acquire in take_oldest(). relaxed on failure: only the head can
        // have changed, and the next attempt uses the new one.
        while (!state_.compare_exchange_weak(
            seen, pack({old.version + 1, restart ? 0 : unpack(seen).head, from + count}), std::memory_order_release,
            std::memory_order_relaxed)) {
        }
    }

    // Owner: takes back up to `at_most` of the newest items, in order, into raw memory at `to`. Returns how many.
    unsigned take_newest(T* to, unsigned at_most) {
        const range won = win_newest(at_most);
        relocate(item(won.first), won.count, to);
        return won.count;
    }

    // Owner: destroys the items that are still visible.
    void drop_all() noexcept {
        const range won = win_newest(capacity);
        end_lives(item(won.first), item(won.first) + won.count);
    }

    struct taken {
        unsigned count = 0;    // items moved to the caller
        unsigned left = 0;     // items still visible after the swap
        bool contended = false;  // another thread won the swap; try again
    };

    // Thief: makes one attempt to take the oldest 1/shares of the visible items, at least one, into raw memory at `to`
    // (room for `capacity`). If a move throws, the items that it won are destroyed.
    taken take_oldest(T* to, unsigned shares) {
        // relaxed: the items are not used before the swap has won them.
        std::uint64_t seen = state_.load(std::memory_order_relaxed);
        const view now = unpack(seen);
        if (now.size() == 0)
            return {};
        const unsigned count = (now.size() + shares - 1) / shares;
        const view rest{now.version, now.head + count, now.tail};
        // release: an owner that finds the shared part empty sees that this thief is active; partners: the acquires in
        // size() and win_newest(). acquire: sees the items; partner: the release in publish(). relaxed on failure:
        // nothing is used.
        if (!state_.compare_exchange_strong(seen, pack(rest), std::memory_order_acq_rel, std::memory_order_relaxed))
            return {.contended = true};
        const arrival_count arrival{*this, count};
        relocate(item(now.head), count, to);
        return {count, rest.size(), false};
    }

    void check_invariants() const noexcept {
        // relaxed: no other operation runs.
        const view now = unpack(state_.load(std::memory_order_relaxed));
        TEFF_CHECK(now.head <= now.tail && now.tail <= capacity, "shared_part", "head and tail crossed", "report this");
        // relaxed: as above.
        TEFF_CHECK(moved_.load(std::memory_order_relaxed) + now.size() == given_, "shared_part",
                   "items were miscounted", "report this");
    }

private:
    struct view {
        std::uint32_t version;
        unsigned head, tail;
        unsigned size() const noexcept { return tail - head; }
    };
    struct range {
        unsigned first, count;
    };
    // Counts the moves as done when the scope ends, also by an exception.
    struct arrival_count {
        shared_part& to;
        unsigned count;
        ~arrival_count() {
            // release: our reads of the slots happen before the owner refills them; partner: the acquire in
            // may_restart().
            to.moved_.fetch_add(count, std::memory_order_release);
        }
    };

    // Whether all items have been taken and moved out.
    bool may_restart(const view& now) const noexcept {
        // acquire: the thieves' moves out of the slots happen before the owner refills them; partner: the release in
        // ~arrival_count(), at the end of take_oldest().
        return now.size() == 0 && moved_.load(std::memory_order_acquire) == given_;
    }

    range win_newest(unsigned at_most) noexcept {
        for (;;) {
            // acquire: as in size(), for the case that no item is left; partner: the release in take_oldest().
            std::uint64_t seen = state_.load(std::memory_order_acquire);
            const view now = unpack(seen);
            const unsigned count = smaller(at_most, now.size());
            const view rest{now.version, now.head, now.tail - count};
            // release: a thread that finds these items gone sees that the owner has announced them as its own, in
            // split_deque::take_back(); partner: the acquire in size(). The swap also continues the release sequence
            // of publish(). relaxed on failure: nothing is used.
            if (count == 0 || state_.compare_exchange_weak(seen, pack(rest), std::memory_order_release,
                                                           std::memory_order_relaxed)) {
                given_ -= count;
                return {rest.tail, count};
            }
        }
    }

    static constexpr view unpack(std::uint64_t word) noexcept {
        return {static_cast<std::uint32_t>(word >> 32), static_cast<unsigned>(word >> 16 & 0xFFFF),
                static_cast<unsigned>(word & 0xFFFF)};
    }
    static constexpr std::uint64_t pack(view v) noexcept {
        return std::uint64_t{v.version} << 32 | std::uint64_t{v.head} << 16 | v.tail;
    }
    T* item(unsigned index) noexcept { return std::launder(reinterpret_cast<T*>(storage_)) + index; }

    // owner and thieves write
    alignas(false_sharing_range) atomic<std::uint64_t> state_{0};
    atomic<std::uint32_t> moved_{0};  // items that thieves moved out, of all versions (wraps with given_)
    // owner writes; small items at the front of the array share the word's cache line, so a thief gets them with it
    std::uint32_t given_ = 0;  // items published and not taken back, of all versions
    alignas(T) std::byte storage_[capacity * sizeof(T)];
};

}  // namespace teff
