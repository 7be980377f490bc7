// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unbounded lock-free FIFO of pointers for many producers and many consumers: the queue of the scheduler `fifo`, "a
// simple lock free queue that distributed tasks in FIFO order" (Evans, Olivier, Barrett, Stelle, ROSS 2017, section 3).
//
//                     push  pop  may_have_items    safe together?
//   push              yes   yes       yes          participants of the reclaimer, not between its enter and leave
//   pop                     yes       yes          the same
//   may_have_items                    yes          any thread; a hint
// Construction, destruction and check_invariants exclude everything. Items that are left are not touched.
//
// The paper does not describe its queue. This one is a list of segments of cells, as several since LCRQ (Morrison and
// Afek 2013). A push takes the next position by an increment of `pushes_` and swings that position's cell from empty to
// the item. A pop looks at the cell of the position `pops_`; whoever increments `pops_` has what it saw there. If the
// cell is empty though a push has the position, a pop does not wait: it swings the cell to `passed`, and the push takes
// another position. Positions are the whole queue's; a segment has those from its `base` on. Who gets one behind the
// last segment appends a new one, which begins with this very position and has the item inside, so that no pop can pass
// it by. (Hence lock-free: a push that is passed by again and again comes to a segment's end, where it succeeds, or
// another does.) What others got meanwhile is given up: positions before the new base have no cell, later ones are
// passed by.
//
// A used-up segment is retired by whoever moves `head_` past it, when `tail_` is past it, too: then nobody can come to
// it any more. Every operation looks into one segment at a time, which it reached through `head_` or `tail_`. So every
// reclaimer will do by which each participant may retire: epoch, arena, hazard. Not gc, which keeps what hangs from the
// anchors of owners, and nobody owns this queue. Segments are freed without the queue, which may have ended.
// Memory: segments for the items that are there, and what the reclaimer has not freed yet (epoch: up to two thresholds
// for each participant, while nobody stays inside).
// Rejected: a count of the items (one more shared line for every operation to write); indices inside of the segments (a
// hint would have to look into memory that may be freed); segments that come back to the queue (a queue that was long
// once would stay large).
#pragma once

#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/cache_line.hpp>
#include <teff/reclaim/reclaimer.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string_view>
#include <type_traits>

namespace teff {

// T: a pointer to objects of at least two bytes' alignment. Cells: per segment; by default a segment has 1024 bytes.
template <class T, class Reclaimer, std::size_t Cells = 120>
class fifo_queue {
    static_assert(std::is_pointer_v<T> && sizeof(T) == sizeof(std::uintptr_t) && Cells >= 1);
    static_assert(Reclaimer::name != std::string_view("gc"), "nobody owns this queue's segments");

    struct segment : reclaimable {
        segment(std::uint64_t first_position, std::size_t cells) noexcept : base(first_position), size(cells) {}

        // constant after construction
        const std::uint64_t base;
        const std::size_t size;
        // the next segment; written once
        atomic<segment*> next{nullptr};
    };
    struct segment_with_cells : segment {
        segment_with_cells(Reclaimer& from, std::uint64_t first_position, T first_item) noexcept
            : segment(first_position, Cells), reclaimer(from) {
            // relaxed: the segment is published by a release.
            cells[0].store(first_item, std::memory_order_relaxed);
            this->dispose = [](reclaimable* used) noexcept {
                auto* const mine = static_cast<segment_with_cells*>(used);
                free_segment(mine->reclaimer, mine->retired_by, mine);
            };
        }

        // constant after construction
        Reclaimer& reclaimer;
        // whoever retires it
        std::size_t retired_by = 0;
        // nullptr, then an item or `passed`
        alignas(cache_line_size) atomic<T> cells[Cells];
    };

public:
    // Allocates nothing. Several queues may share the reclaimer, which outlives them.
    explicit fifo_queue(Reclaimer& reclaimer) noexcept : reclaimer_(reclaimer) {}
    ~fifo_queue() {
        // relaxed, all: nobody else uses the queue any more.
        for (segment* each = head_.load(std::memory_order_relaxed); each != nullptr;) {
            segment* const next = each->next.load(std::memory_order_relaxed);
            if (each != &stub_)
                free_segment(reclaimer_, 0, each);
            each = next;
        }
    }
    fifo_queue(const fifo_queue&) = delete;
    fifo_queue& operator=(const fifo_queue&) = delete;

    // Adds an item, not nullptr, behind all whose push was over before. False if there is no memory.
    [[nodiscard]] bool push(std::size_t participant, T item) noexcept {
        TEFF_ASSERT(item != nullptr && item != passed(), "not an item");
        const scoped_participation<Reclaimer> inside(reclaimer_, participant);
        for (;;) {
            segment* const last = reclaimer_.protect(participant, tail_);
            // relaxed: a number that nobody else has. It comes after the base of `last`, which was given out before
            // `last` was published.
            const std::uint64_t position = pushes_.fetch_add(1, std::memory_order_relaxed);
            if (atomic<T>* const cell = cell_of(*last, position)) {
                T seen = nullptr;
                // release: what the item points to, for pop()'s acquire. relaxed on failure: it was passed by.
                if (cell->compare_exchange_strong(seen, item, std::memory_order_release, std::memory_order_relaxed))
                    return true;
                continue;
            }
            switch (append(participant, *last, position, item)) {
            case appended::mine: return true;
            case appended::others: break;
            case appended::no_memory: return false;
            }
        }
    }

    // The oldest item, or nullptr if there is none. Whoever gets nullptr sees what the thread that took the last item
    // did before that. Costs the reclaimer's fences also if there is none: who only tries asks may_have_items() first.
    T pop(std::size_t participant) noexcept {
        const scoped_participation<Reclaimer> inside(reclaimer_, participant);
        for (;;) {
            segment* const first = reclaimer_.protect(participant, head_);
            // acquire: for an empty queue; partner: the release below.
            std::uint64_t position = pops_.load(std::memory_order_acquire);
            if (position < first->base) {
                // relaxed, both: the positions before this segment belong to no cell.
                pops_.compare_exchange_strong(position, first->base, std::memory_order_relaxed,
                                              std::memory_order_relaxed);
                continue;
            }
            atomic<T>* const cell = cell_of(*first, position);
            if (cell == nullptr) {
                // acquire: passes on the initialised segment; partner: the release in append().
                segment* const next = first->next.load(std::memory_order_acquire);
                if (next == nullptr)
                    return nullptr;
                move_on(participant, *first, *next);
                continue;
            }
            // acquire: what the item points to; partner: the release in push(), or the one that published the segment.
            T seen = cell->load(std::memory_order_acquire);
            if (seen == nullptr) {
                // relaxed: pushes that happened before this pop are counted.
                if (position >= pushes_.load(std::memory_order_relaxed))
                    return nullptr;
                // relaxed: nothing to publish. acquire on failure: as the load above.
                if (cell->compare_exchange_strong(seen, passed(), std::memory_order_relaxed, std::memory_order_acquire))
                    seen = passed();
            }
            // release: for whoever finds the queue empty. relaxed on failure: another pop was faster.
            if (pops_.compare_exchange_strong(position, position + 1, std::memory_order_release,
                                              std::memory_order_relaxed) &&
                seen != passed())
                return seen;
        }
    }

    // Whether a pop might find something. Reads two numbers of the queue itself. False means that there was a moment
    // when it was empty, and whoever sees it sees what the thread that took the last item did before that. True may
    // mean that a push is under way; or, after pushes that found no memory while others were at work, nothing at all
    // until the next push.
    bool may_have_items() const noexcept {
        // acquire: as in pop(); and the older number first, so that no item comes and goes between the two.
        const std::uint64_t taken = pops_.load(std::memory_order_acquire);
        // relaxed: as in pop().
        return taken < pushes_.load(std::memory_order_relaxed);
    }

    // The first broken invariant in words, or nullptr.
    const char* check_invariants() const noexcept;

private:
    enum class appended { mine, others, no_memory };

    static T passed() noexcept { return reinterpret_cast<T>(std::uintptr_t{1}); }

    static atomic<T>* cell_of(segment& of, std::uint64_t position) noexcept {
        const std::uint64_t offset = position - of.base;
        return offset < of.size ? static_cast<segment_with_cells&>(of).cells + offset : nullptr;
    }

    // For a push whose position is behind `last`: adds a segment that begins with it, unless another push did.
    [[gnu::noinline]] appended append(std::size_t participant, segment& last, std::uint64_t position,
                                      T item) noexcept {
        // acquire: passes on the initialised segment by advance(); partner: the release below.
        segment* next = last.next.load(std::memory_order_acquire);
        if (next == nullptr) {
            void* const memory =
                reclaimer_.allocate(participant, sizeof(segment_with_cells), alignof(segment_with_cells));
            if (memory == nullptr) {
                // Gives the position back if it was the last: nothing will come of it, and the hint counts it.
                // relaxed, both: only numbers.
                std::uint64_t given = position + 1;
                pushes_.compare_exchange_strong(given, position, std::memory_order_relaxed, std::memory_order_relaxed);
                return appended::no_memory;
            }
            segment* const added = ::new (memory) segment_with_cells(reclaimer_, position, item);
            // release: the segment's fields, and what the item points to. acquire on failure: as the load above.
            if (last.next.compare_exchange_strong(next, added, std::memory_order_release, std::memory_order_acquire)) {
                advance(tail_, last, *added);
                return appended::mine;
            }
            free_segment(reclaimer_, participant, added);
        }
        advance(tail_, last, *next);
        return appended::others;
    }

    // For a pop that finds all of `used` taken: makes `next` the first segment.
    [[gnu::noinline]] void move_on(std::size_t participant, segment& used, segment& next) noexcept {
        // Before head_, so that tail_ never stays behind it: once it has left, nobody reaches the used segment.
        advance(tail_, used, next);
        if (!advance(head_, used, next) || &used == &stub_)
            return;
        static_cast<segment_with_cells&>(used).retired_by = participant;
        reclaimer_.retire(participant, used);
    }

    static bool advance(atomic<segment*>& end, segment& from, segment& to) noexcept {
        segment* expected = &from;
        // release: who reads `to` from it (acquire in protect()) sees it initialised. relaxed on failure: somebody else
        // has moved on; the reclaimer's fence orders this look before those at the participants.
        return end.compare_exchange_strong(expected, &to, std::memory_order_release, std::memory_order_relaxed);
    }

    static void free_segment(Reclaimer& from, std::size_t participant, segment* used) noexcept {
        auto* const memory = static_cast<segment_with_cells*>(used);
        memory->~segment_with_cells();
        from.deallocate(participant, memory, sizeof *memory, alignof(segment_with_cells));
    }

    // constant after construction
    Reclaimer& reclaimer_;
    // a segment without cells, so that there always is one
    segment stub_{0, 0};
    // anybody writes, once per segment: where to pop and where to push
    alignas(false_sharing_range) atomic<segment*> head_{&stub_};
    atomic<segment*> tail_{&stub_};
    // pushes write: how many positions were given out
    alignas(false_sharing_range) atomic<std::uint64_t> pushes_{0};
    // pops write: the position of the oldest item, if there is any
    alignas(false_sharing_range) atomic<std::uint64_t> pops_{0};
};

template <class T, class Reclaimer, std::size_t Cells>
const char* fifo_queue<T, Reclaimer, Cells>::check_invariants() const noexcept {
    // relaxed, all: the caller has ordered everything before.
    const std::uint64_t taken = pops_.load(std::memory_order_relaxed);
    segment* const first = head_.load(std::memory_order_relaxed);
    segment* const last = tail_.load(std::memory_order_relaxed);
    if (taken < first->base)
        return "the oldest item is not before the first segment";
    for (segment* each = first; each != nullptr; each = each->next.load(std::memory_order_relaxed)) {
        segment* const next = each->next.load(std::memory_order_relaxed);
        if ((each == last) != (next == nullptr))
            return "the last segment alone has no successor";
        if (next != nullptr && next->base < each->base + each->size)
            return "a position belongs to one segment";
        for (std::uint64_t position = each->base; position < each->base + each->size; ++position) {
            const T seen = cell_of(*each, position)->load(std::memory_order_relaxed);
            if (position < taken ? seen == nullptr : seen == passed())
                return "pops pass by cells in their order, and leave none empty";
        }
    }
    return nullptr;
}

}  // namespace teff
