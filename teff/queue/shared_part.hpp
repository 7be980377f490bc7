// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shared part of a split deque: a small array of items that the owner fills at once and everybody takes from.
//
// One word holds {version, head, tail}. Thieves take the oldest items by moving head up, the owner takes the newest
// back by moving tail down, both by compare-and-swap of that one word, so no two can win the same item and no fence
// between two words is needed. Within a version head only grows and tail only falls; the version changes with every
// publication, so a swap based on an old view fails. (It has 32 bits: a thief that sleeps between its load and its
// swap through exactly 2^32 publications of one owner would be fooled.) Thieves never touch the slots from tail on, so
// the owner may add items there; only to start again at the first slot does it have to wait for them.
// Winning comes first, moving after: the owner may start again only when all won items have been moved out, which
// thieves count in `moved`.
//                        publish  take_newest  take_oldest  size     safe together?
//   publish                 -         -           yes        yes     publish, take_newest: owner only
//   take_newest                       -           yes        yes
//   take_oldest                                   yes        yes
// Memory: never freed while a team lives, so a late thief may always look at the word.
// Rejected: pointers to chunks handed over by exchange (one thief takes all, and a long task then hides the rest);
// stealing in place from the owner's array (its growth would need reclamation, its pop a fence).
#pragma once

#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/cache_line.hpp>
#include <teff/queue/relocate.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace teff {

template <class T>
class shared_part {
public:
    static constexpr unsigned capacity = static_cast<unsigned>(std::clamp<std::size_t>(4096 / sizeof(T), 4, 64));

    shared_part() noexcept = default;
    shared_part(const shared_part&) = delete;
    shared_part& operator=(const shared_part&) = delete;
    ~shared_part() {
        // relaxed: the team is over, the last thief's move happened before.
        const view left = unpack(state_.load(std::memory_order_relaxed));
        std::destroy_n(item(left.head), left.size());
    }

    // Items that can be taken. Any thread; a hint unless the owner asks and gets 0.
    unsigned size() const noexcept {
        // acquire: an owner that sees a thief's swap also sees what the thief did before it (its announcement that it
        // is active; the release is in take_oldest()).
        return unpack(state_.load(std::memory_order_acquire)).size();
    }

    // Owner: how many items publish() may add now.
    unsigned room() const noexcept {
        // relaxed: what thieves did matters only for a restart, and may_restart() acquires that.
        const view now = unpack(state_.load(std::memory_order_relaxed));
        return may_restart(now) ? capacity : capacity - now.tail;
    }

    // Owner: moves `count` items (1..room()) in, the oldest first, and makes them visible.
    // If a move throws, nothing becomes visible and the items are gone.
    void publish(T* first, unsigned count) {
        // relaxed: as in room().
        std::uint64_t seen = state_.load(std::memory_order_relaxed);
        const view old = unpack(seen);
        // Thieves leave an empty shared part as it is, and of one in use they move the head only.
        const bool restart = may_restart(old);
        const unsigned from = restart ? 0 : old.tail;
        TEFF_ASSERT(count >= 1 && count <= capacity - from, "more items than the shared_part has room for");
        relocate(first, count, item(from));
        given_ += count;
        // release: makes the items visible to the acquire of whoever takes them. relaxed on failure: only the head,
        // which the next attempt takes over.
        while (!state_.compare_exchange_weak(
            seen, pack({old.version + 1, restart ? 0 : unpack(seen).head, from + count}), std::memory_order_release,
            std::memory_order_relaxed)) {
        }
    }

    // Owner: takes back up to `at_most` of the newest, in order, into raw memory at `to`. Returns how many.
    unsigned take_newest(T* to, unsigned at_most) {
        const range won = win_newest(at_most);
        relocate(item(won.first), won.count, to);
        return won.count;
    }

    // Owner: destroys what is still visible.
    void drop_all() noexcept {
        const range won = win_newest(capacity);
        std::destroy_n(item(won.first), won.count);
    }

    struct taken {
        unsigned count = 0;    // items moved to the caller
        unsigned left = 0;     // items still visible after it
        bool contended = false;  // another thread won the swap; try again
    };

    // Thief: one attempt at the oldest 1/shares of what is visible, at least one, into raw memory at `to` (room for
    // `capacity`). If a move throws, the items won are gone.
    taken take_oldest(T* to, unsigned shares) {
        // relaxed: nothing is done with the items before the swap has won.
        std::uint64_t seen = state_.load(std::memory_order_relaxed);
        const view now = unpack(seen);
        if (now.size() == 0)
            return {};
        const unsigned count = (now.size() + shares - 1) / shares;
        const view rest{now.version, now.head + count, now.tail};
        // release: the owner that finds the shared part empty (size()'s acquire) knows this thief to be active.
        // acquire: sees the items written before publish()'s release. relaxed on failure: nothing is used.
        if (!state_.compare_exchange_strong(seen, pack(rest), std::memory_order_acq_rel, std::memory_order_relaxed))
            return {.contended = true};
        const arrival_count arrival{*this, count};
        relocate(item(now.head), count, to);
        return {count, rest.size(), false};
    }

    void check_invariants() const noexcept {
        // relaxed: called when nothing else runs.
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
    // Counts moves as done when the scope ends, also by an exception.
    struct arrival_count {
        shared_part& to;
        unsigned count;
        ~arrival_count() {
            // release: our reads of the slots happen before the owner's refill, which acquires in may_restart().
            to.moved_.fetch_add(count, std::memory_order_release);
        }
    };

    // Everything was taken and moved out.
    bool may_restart(const view& now) const noexcept {
        // acquire: the moves out of the slots, before the release in take_oldest(), happen before they are refilled.
        return now.size() == 0 && moved_.load(std::memory_order_acquire) == given_;
    }

    range win_newest(unsigned at_most) noexcept {
        for (;;) {
            // acquire: as in size(), for the case that nothing is left.
            std::uint64_t seen = state_.load(std::memory_order_acquire);
            const view now = unpack(seen);
            const unsigned count = std::min(at_most, now.size());
            const view rest{now.version, now.head, now.tail - count};
            // relaxed, both: the items are the owner's own writes; as a read-modify-write it continues the release
            // sequence of publish() for later thieves.
            if (count == 0 || state_.compare_exchange_weak(seen, pack(rest), std::memory_order_relaxed,
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
    // owner writes; the first items, if they are small, come to a thief with the word
    std::uint32_t given_ = 0;  // items published and not taken back, of all versions
    alignas(T) std::byte storage_[capacity * sizeof(T)];
};

}  // namespace teff
