// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unbounded lock-free FIFO of pointers for many producers and many consumers: the queue of the scheduler `fifo`, "a
// simple lock free queue that distributed tasks in FIFO order" (Evans, Olivier, Barrett, Stelle, ROSS 2017, section 3).
//
//                     push  pop  may_have_items    safe together?
//   push              yes   yes       yes          participants of the reclaimer, not between its enter and leave
//   pop                     yes       yes          the same
//   may_have_items                    yes          any thread; a hint
// Construction, destruction and check_invariants exclude everything. The destructor does not touch remaining items.
//
// The paper does not describe its queue. This one is a list of segments of cells, like several queues since LCRQ
// (Morrison and Afek 2013). Positions count over the whole queue; a segment has the positions from its `base` on.
//   push    takes the next position by incrementing `pushes_`, then swings that position's cell from empty to the item
//   pop     reads the cell at the position `pops_`; the pop that increments `pops_` has won what it read there
// If the cell is empty although a push has taken the position, a pop does not wait: it swings the cell to `passed`, and
// the push takes another position. A push whose position lies behind the last segment appends a new segment. It begins
// at that position and already contains the item, so no pop can pass the item by. (This makes the queue lock-free: a
// push that is passed by repeatedly reaches the end of a segment, where it or another push succeeds.) The other
// positions that pushes took behind the old last segment are given up, and these pushes take new ones: positions before
// the new base have no cell, and pops pass by the later ones.
//
// The pop that moves `head_` past a used-up segment retires it. `tail_` is past the segment by then, too, so no thread
// can reach the segment any more. Every operation reads one segment at a time, which it reached through `head_` or
// `tail_`. So any reclaimer will do that lets every participant retire: epoch, arena, hazard. gc will not do: it
// keeps only what is reachable from the owners' anchors, and this queue has no owner. Freeing a segment does not use
// the queue, which may be destroyed by then.
// Memory: the segments that the present items need, and those that the reclaimer has not freed yet (epoch: up to two
// thresholds for each participant, unless a participant stays inside).
// Rejected: a count of the items (one more shared line for every operation to write); indices inside the segments (a
// hint would have to read memory that may be freed); segments that return to the queue (a queue that was long once
// would stay large).
#pragma once

#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/reclaim/reclaimer.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string_view>
#include <type_traits>

namespace teff {

// T: a pointer to objects of at least two bytes' alignment. Cells: cells per segment; by default a segment has 1024
// bytes.
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
        // the participant that retires it
        std::size_t retired_by = 0;
        // nullptr, then an item or `passed`
        alignas(cache_line_size) atomic<T> cells[Cells];
    };

public:
    // Allocates nothing. Several queues may share the reclaimer, which must outlive them.
    explicit fifo_queue(Reclaimer& reclaimer) noexcept : reclaimer_(reclaimer) {}
    ~fifo_queue() {
        // relaxed, all: no other thread uses the queue any more.
        for (segment* each = head_.load(std::memory_order_relaxed); each != nullptr;) {
            segment* const next = each->next.load(std::memory_order_relaxed);
            if (each != &stub_)
                free_segment(reclaimer_, 0, each);
            each = next;
        }
    }
    fifo_queue(const fifo_queue&) = delete;
    fifo_queue& operator=(const fifo_queue&) = delete;

    // Adds an item, not nullptr, behind all items whose push returned before this call. Returns false if there is no
    // memory.
    [[nodiscard]] bool push(std::size_t participant, T item) noexcept {
        TEFF_ASSERT(item != nullptr && item != passed(), "not an item");
        const scoped_participation<Reclaimer> inside(reclaimer_, participant);
        for (;;) {
            segment* const last = reclaimer_.protect(participant, tail_);
            // relaxed: the increment only has to give each push its own number. The number is greater than the base of
            // `last`, which was given out before `last` was published.
            const std::uint64_t position = pushes_.fetch_add(1, std::memory_order_relaxed);
            if (atomic<T>* const cell = cell_of(*last, position)) {
                T seen = nullptr;
                // release: publishes what the item points to; partner: the acquire of the cell in pop(). relaxed on
                // failure: a pop has passed by.
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

    // The oldest item, or nullptr if there is none. A thread that gets nullptr sees what the thread that took the last
    // item did before that. An empty queue costs the reclaimer's fences, too: a caller that only tries should check
    // may_have_items() first.
    T pop(std::size_t participant) noexcept {
        const scoped_participation<Reclaimer> inside(reclaimer_, participant);
        for (;;) {
            segment* const first = reclaimer_.protect(participant, head_);
            // acquire: if the queue is empty, sees what the takers of the items did; partner: the release below.
            std::uint64_t position = pops_.load(std::memory_order_acquire);
            if (position < first->base) {
                // relaxed, both: the skipped positions have no cell.
                pops_.compare_exchange_strong(position, first->base, std::memory_order_relaxed,
                                              std::memory_order_relaxed);
                continue;
            }
            atomic<T>* const cell = cell_of(*first, position);
            if (cell == nullptr) {
                // acquire: sees the segment initialised, and move_on() publishes it further; partner: the release in
                // append().
                segment* const next = first->next.load(std::memory_order_acquire);
                if (next == nullptr)
                    return nullptr;
                move_on(participant, *first, *next);
                continue;
            }
            // acquire: sees what the item points to; partner: the release in push(). (The item that a segment begins
            // with was published together with the segment.)
            T seen = cell->load(std::memory_order_acquire);
            if (seen == nullptr) {
                // relaxed: by coherence, every push that happened before this pop is counted.
                if (position >= pushes_.load(std::memory_order_relaxed))
                    return nullptr;
                // relaxed: there is nothing to publish. acquire on failure: as the load above.
                if (cell->compare_exchange_strong(seen, passed(), std::memory_order_relaxed, std::memory_order_acquire))
                    seen = passed();
            }
            // release: publishes what we did before to a thread that finds the queue empty; partners: the acquires of
            // pops_ above and in may_have_items(). relaxed on failure: another pop has taken the position.
            if (pops_.compare_exchange_strong(position, position + 1, std::memory_order_release,
                                              std::memory_order_relaxed) &&
                seen != passed())
                return seen;
        }
    }

    // Whether a pop might find an item. Reads two counters in the queue object, no segment. False means that the queue
    // was empty at some moment during the call, and the caller sees what the thread that took the last item did before
    // that. True may be wrong: a push may be under way; or pushes found no memory while other pushes ran, and then the
    // result may stay true until the next push.
    bool may_have_items() const noexcept {
        // acquire: as in pop(); partner: the release there. It also keeps this load before that of pushes_: in the
        // other order, items pushed and popped between the two loads could make a queue look empty that never was.
        const std::uint64_t taken = pops_.load(std::memory_order_acquire);
        // relaxed: as in pop(): by coherence, every push that happened before this call is counted.
        return taken < pushes_.load(std::memory_order_relaxed);
    }

    // The first broken invariant in words, or nullptr.
    const char* check_invariants() const noexcept;

private:
    enum class appended { mine, others, no_memory };

    static T passed() noexcept { return reinterpret_cast<T>(std::uintptr_t{1}); }

    static atomic<T>* cell_of(segment& owner, std::uint64_t position) noexcept {
        const std::uint64_t offset = position - owner.base;
        return offset < owner.size ? static_cast<segment_with_cells&>(owner).cells + offset : nullptr;
    }

    // For a push whose position is behind `last`: adds a segment that begins at this position, unless another push has
    // added one.
    [[gnu::noinline]] appended append(std::size_t participant, segment& last, std::uint64_t position,
                                      T item) noexcept {
        // acquire: sees the segment initialised, and advance() publishes it further; partner: the release below.
        segment* next = last.next.load(std::memory_order_acquire);
        if (next == nullptr) {
            void* const memory =
                reclaimer_.allocate(participant, sizeof(segment_with_cells), alignof(segment_with_cells));
            if (memory == nullptr) {
                // Gives the position back if it is the last one: it will get no item, but may_have_items() counts it.
                // relaxed, both: nothing is read through the counter.
                std::uint64_t given = position + 1;
                pushes_.compare_exchange_strong(given, position, std::memory_order_relaxed, std::memory_order_relaxed);
                return appended::no_memory;
            }
            segment* const added = ::new (memory) segment_with_cells(reclaimer_, position, item);
            // release: publishes the segment's fields and what the item points to; partners: the acquires of `next`
            // here and in pop(). acquire on failure: as the load above.
            if (last.next.compare_exchange_strong(next, added, std::memory_order_release, std::memory_order_acquire)) {
                advance(tail_, last, *added);
                return appended::mine;
            }
            free_segment(reclaimer_, participant, added);
        }
        advance(tail_, last, *next);
        return appended::others;
    }

    // For a pop that finds `used` used up: makes `next` the first segment.
    [[gnu::noinline]] void move_on(std::size_t participant, segment& used, segment& next) noexcept {
        // tail_ moves before head_, so that it is never behind head_: once head_ has moved, no thread can reach the
        // used segment.
        advance(tail_, used, next);
        if (!advance(head_, used, next) || &used == &stub_)
            return;
        static_cast<segment_with_cells&>(used).retired_by = participant;
        reclaimer_.retire(participant, used);
    }

    static bool advance(atomic<segment*>& end, segment& from, segment& to) noexcept {
        segment* expected = &from;
        // release: a thread that reads `to` from head_ or tail_ sees it initialised; partner: the acquire in protect().
        // relaxed on failure: another thread has advanced it. If this thread retires the segment next, the fence in the
        // reclaimer's retire() orders this access before its scan of the participants.
        return end.compare_exchange_strong(expected, &to, std::memory_order_release, std::memory_order_relaxed);
    }

    static void free_segment(Reclaimer& from, std::size_t participant, segment* used) noexcept {
        auto* const memory = static_cast<segment_with_cells*>(used);
        memory->~segment_with_cells();
        from.deallocate(participant, memory, sizeof *memory, alignof(segment_with_cells));
    }

    // constant after construction
    Reclaimer& reclaimer_;
    // a segment without cells, so that head_ and tail_ are never null
    segment stub_{0, 0};
    // any thread writes, once per segment: where to pop and where to push
    alignas(false_sharing_range) atomic<segment*> head_{&stub_};
    atomic<segment*> tail_{&stub_};
    // pushes write: how many positions were given out
    alignas(false_sharing_range) atomic<std::uint64_t> pushes_{0};
    // pops write: the position where the next pop looks first
    alignas(false_sharing_range) atomic<std::uint64_t> pops_{0};
};

template <class T, class Reclaimer, std::size_t Cells>
const char* fifo_queue<T, Reclaimer, Cells>::check_invariants() const noexcept {
    // relaxed, all: no other operation runs, and the caller has ordered the earlier ones.
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
