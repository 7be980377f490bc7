// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The events of one thread in bounded memory: the slices of the trace (teff/timeline.hpp).
//
// A slice is one event, which is recorded when the slice ends, so that no begin lacks its end if memory runs out. Open
// slices are kept in a stack, and the writer of the file reads this stack, too.
//
// Memory comes in chunks, and all threads take their room from one budget of events. When the budget is used up,
// further events are dropped and counted. So the log keeps the beginning of the run, without gaps.
// Rejected: a ring that keeps the end of the run. The ring would drop a slice before the slices that contain it, which
// end later, and a thread with few events would lose none, so that the threads' lines in the picture would begin at
// different times.
//
//                        add, push, pop    for_each_event, for_each_open    safe together?
//   add, push, pop             -                       yes                  the thread itself
//   for_each_...                                        -                   one thread, under guard()
// The thread takes the mutex guard() only when it needs room or begins a new record.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/locks.hpp>
#include <teff/observe/timeline.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <sys/mman.h>

namespace teff {

struct traced_event {
    std::int64_t begin, end;  // in cycles (base/clock.hpp)
    const void* what;
    slice_kind kind;
    unsigned char detail = 0;
};

// Packs `what`, `kind` and `detail` into one word. Addresses have 48 bits: the system gives a program higher ones only
// on request.
class packed_subject {
public:
    static std::uint64_t pack(const void* what, slice_kind kind, unsigned char detail) noexcept {
        return reinterpret_cast<std::uintptr_t>(what) << 16 | std::uint64_t{static_cast<unsigned char>(kind)} << 8 |
               detail;
    }
    static traced_event unpack(std::uint64_t word, std::int64_t begin, std::int64_t end) noexcept {
        return {begin, end, reinterpret_cast<const void*>(static_cast<std::uintptr_t>(word >> 16)),
                static_cast<slice_kind>(word >> 8 & 0xff), static_cast<unsigned char>(word & 0xff)};
    }
};

// How many more events all threads together may keep, and the memory for them, in large pages where the system has
// them. The first part of the memory is touched at the start: a page fault costs up to ten nanoseconds per event, half
// of the remaining cost of a slice.
class event_budget {
public:
    // Call once, before any thread takes memory. Memory beyond the first part is only address space until it is used.
    void reserve(std::size_t size) noexcept {
        constexpr std::size_t large_page = std::size_t{1} << 21;
        if (size < large_page)
            return;
        void* const mapped = ::mmap(nullptr, size + large_page, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (mapped == MAP_FAILED)
            return;
        const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(mapped) + large_page - 1) & ~(large_page - 1);
        memory_ = reinterpret_cast<std::byte*>(begin);
        size_ = size;
        // A hint.
        ::madvise(memory_, size_, MADV_HUGEPAGE);
        constexpr std::size_t first_part = std::size_t{1} << 25, small_page = 4096;
        for (std::size_t place = 0; place < std::min(size_, first_part); place += small_page)
            memory_[place] = std::byte{0};
    }
    // Returns nullptr if none is left.
    void* take_memory(std::size_t size) noexcept {
        // relaxed: each thread gets memory of its own.
        const std::size_t begin = memory_ == nullptr ? size_ : used_.fetch_add(size, std::memory_order_relaxed);
        return begin < size_ && size_ - begin >= size ? memory_ + begin : nullptr;
    }
    // A small budget is granted in small parts, since room that one thread holds unused is missing for the others.
    // relaxed, all: counts; the chunks are each thread's own.
    void fill(long events) noexcept {
        left_.store(events, std::memory_order_relaxed);
        part_.store(std::max(events / 64, 1L), std::memory_order_relaxed);
    }
    // Returns how many it grants, at most `limit`.
    std::uint32_t take(std::uint32_t limit) noexcept {
        const long wanted = std::min(part_.load(std::memory_order_relaxed), static_cast<long>(limit));
        long seen = left_.load(std::memory_order_relaxed);
        for (;;) {
            const long granted = std::min(seen, wanted);
            if (granted <= 0)
                return 0;
            if (left_.compare_exchange_weak(seen, seen - granted, std::memory_order_relaxed,
                                            std::memory_order_relaxed))
                return static_cast<std::uint32_t>(granted);
        }
    }

private:
    atomic<long> left_{0};
    atomic<long> part_{1};
    atomic<std::size_t> used_{0};
    // constant after reserve()
    std::byte* memory_ = nullptr;
    std::size_t size_ = 0;
};

class event_log {
public:
    static constexpr std::uint32_t chunk_size = 2048;
    static constexpr unsigned max_open = 256;

    // The memory for this number of events, rounded up to whole chunks.
    static constexpr std::size_t memory_for(long events) noexcept {
        return (static_cast<std::size_t>(events) / chunk_size + 1) * sizeof(chunk);
    }

    // `record`: the number of the present record; a new number forgets all events. Chunks are never freed: threads may
    // still run while the process exits.
    void add(const traced_event& made, event_budget& budget, unsigned record) noexcept {
        if (record != record_) [[unlikely]]
            begin_record(record);
        if (count_ == room_ && !take_room(budget)) [[unlikely]] {
            // relaxed, both: statistics; only this thread writes them.
            dropped_.store(dropped_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
            return;
        }
        newest_->events[count_] = {made.begin, made.end, packed_subject::pack(made.what, made.kind, made.detail)};
        // release: publishes the event; partner: the acquire in for_each_event().
        newest_->count.store(++count_, std::memory_order_release);
    }

    // Opens a slice, and returns how many were open before. Slices beyond max_open are counted but not kept.
    unsigned push(slice_kind kind, const void* what, std::int64_t begin) noexcept {
        // relaxed: only this thread writes it.
        const unsigned depth = depth_.load(std::memory_order_relaxed);
        if (depth < max_open) [[likely]] {
            open_slice& made = open_[depth];
            // A reader that sees parts of two slices sees two different beginnings, since the fence orders the store of
            // 0 before the store of the subject; partner: the fence in for_each_open().
            // release: a reader that sees the 0 also sees the event of the slice that was here before; partners: the
            // acquires of `begin` in for_each_open().
            made.begin.store(0, std::memory_order_release);
            teff::atomic_thread_fence(std::memory_order_release);
            // relaxed: ordered by the fence before and the release after it.
            made.subject.store(packed_subject::pack(what, kind, 0), std::memory_order_relaxed);
            // release: publishes the subject; partner: the acquire in for_each_open().
            made.begin.store(begin, std::memory_order_release);
        }
        // release: publishes the slice; partner: the acquire in for_each_open().
        depth_.store(depth + 1, std::memory_order_release);
        return depth;
    }
    // The slice for which push() returned this depth, without an end; its beginning is 0 if the slice was not kept.
    traced_event opened(unsigned depth) const noexcept {
        if (depth >= max_open) [[unlikely]]
            return {0, 0, nullptr, slice_kind::task};
        const open_slice& top = open_[depth];
        // relaxed, both: this thread has written them.
        return packed_subject::unpack(top.subject.load(std::memory_order_relaxed),
                                      top.begin.load(std::memory_order_relaxed), 0);
    }
    // Closes the slice for which push() returned this depth, and the slices inside it. Call add() first: then a reader
    // that reads the open slices before the events finds each slice in one of the two, or in both.
    void pop(unsigned depth) noexcept {
        // release: a reader that sees the slice closed sees the event; partner: the acquire in for_each_open().
        depth_.store(depth, std::memory_order_release);
    }
    // Whether the slice with this depth and beginning is still open.
    bool is_open(unsigned depth, std::int64_t begin) const noexcept {
        // relaxed, both: this thread has written them.
        return depth < max_open && depth < depth_.load(std::memory_order_relaxed) &&
               open_[depth].begin.load(std::memory_order_relaxed) == begin;
    }
    void count_dropped() noexcept {
        // relaxed, both: as in add().
        dropped_.store(dropped_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }

    // The writer holds this mutex during each of the calls below.
    mutex& guard() noexcept { return guard_; }
    // Calls f(event) for each event of this record, in the order of their ends.
    template <class F>
    void for_each_event(unsigned record, F&& f) const noexcept {
        if (record != record_ || newest_ == nullptr)
            return;
        for (const chunk* each = first_; each != nullptr; each = each == newest_ ? nullptr : each->next) {
            // acquire: sees the events; partner: the release in add().
            const std::uint32_t count = each->count.load(std::memory_order_acquire);
            for (std::uint32_t place = 0; place < count; ++place)
                f(packed_subject::unpack(each->events[place].subject, each->events[place].begin,
                                         each->events[place].end));
        }
    }
    // Calls f(event) for each open slice, from the outermost inwards; their `end` is 0.
    template <class F>
    void for_each_open(F&& f) const noexcept {
        // acquire: sees the slices; partner: the release in push(). Also sees the events of slices that have closed;
        // partner: the release in pop().
        const unsigned depth = std::min(depth_.load(std::memory_order_acquire), max_open);
        for (unsigned place = 0; place < depth; ++place) {
            const open_slice& each = open_[place];
            // acquire: sees the subject of this beginning, and the events before it; partners: the releases in push().
            const std::int64_t begin = each.begin.load(std::memory_order_acquire);
            // relaxed: the thread may be writing another slice; then the second load of the beginning differs.
            const std::uint64_t subject = each.subject.load(std::memory_order_relaxed);
            // acquire: the second load of the beginning comes after the load of the subject; partner: the fence in
            // push().
            teff::atomic_thread_fence(std::memory_order_acquire);
            // acquire: if the beginning has changed, sees the events before the new one; as above.
            if (begin != 0 && each.begin.load(std::memory_order_acquire) == begin)
                f(packed_subject::unpack(subject, begin, 0));
        }
    }
    std::uint64_t dropped(unsigned record) const noexcept {
        // relaxed: statistics.
        return record == record_ ? dropped_.load(std::memory_order_relaxed) : 0;
    }

private:
    struct kept_event {
        std::int64_t begin, end;
        std::uint64_t subject;
    };
    struct chunk {
        chunk* next = nullptr;  // under guard_
        atomic<std::uint32_t> count{0};
        std::array<kept_event, chunk_size> events;  // uninitialised
    };
    struct open_slice {
        atomic<std::int64_t> begin{0};
        atomic<std::uint64_t> subject{0};
    };

    void begin_record(unsigned record) noexcept {
        const scoped_lock lock(guard_);
        record_ = record;
        newest_ = nullptr;
        count_ = room_ = 0;
        // relaxed: statistics.
        dropped_.store(0, std::memory_order_relaxed);
    }
    // If the reserved memory is used up, maps a chunk: after a restart other threads than before may need chunks.
    static chunk* make_chunk(event_budget& budget) noexcept {
        if (void* const reserved = budget.take_memory(sizeof(chunk)))
            return ::new (reserved) chunk;
        void* const mapped = ::mmap(nullptr, sizeof(chunk), PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
        return mapped == MAP_FAILED ? nullptr : ::new (mapped) chunk;
    }
    // Gets room in the newest chunk, or in the next one.
    [[gnu::noinline]] bool take_room(event_budget& budget) noexcept {
        const scoped_lock lock(guard_);
        if (newest_ != nullptr && room_ < chunk_size) {
            const std::uint32_t granted = budget.take(chunk_size - room_);
            room_ += granted;
            return granted != 0;
        }
        chunk* next = newest_ == nullptr ? first_ : newest_->next;
        if (next == nullptr) {
            next = make_chunk(budget);
            if (next == nullptr)
                return false;
            (newest_ == nullptr ? first_ : newest_->next) = next;
        }
        // A chunk of an older record stays in the list, unused until room in it is granted.
        const std::uint32_t granted = budget.take(chunk_size);
        if (granted == 0)
            return false;
        // relaxed: under the mutex.
        next->count.store(0, std::memory_order_relaxed);
        newest_ = next;
        count_ = 0;
        room_ = granted;
        return true;
    }

    // the thread writes
    chunk* newest_ = nullptr;     // under guard_, too
    std::uint32_t count_ = 0;     // events in newest_
    std::uint32_t room_ = 0;      // events that newest_ may hold
    atomic<std::uint64_t> dropped_{0};
    atomic<unsigned> depth_{0};
    std::array<open_slice, max_open> open_;

    mutex guard_;
    unsigned record_ = 0;         // under guard_
    chunk* first_ = nullptr;      // under guard_
};

// The slices that are open when the writer begins to read a thread's events.
class open_slices {
public:
    void read(const event_log& log) noexcept {
        count_ = 0;
        log.for_each_open([this](const traced_event& each) { slices_[count_++] = each; });
    }
    // Call for each event: its slice may have ended after read(), and then is not open any more. A label's kind may
    // have changed to moving_label.
    void remove(const traced_event& ended) noexcept {
        const auto found = std::ranges::find_if(left(), [&](const traced_event& each) {
            return each.begin == ended.begin && each.what == ended.what &&
                   (each.kind == ended.kind || (is_label(each.kind) && is_label(ended.kind)));
        });
        if (found == left().end())
            return;
        std::copy(found + 1, left().end(), found);
        --count_;
    }
    std::span<traced_event> left() noexcept { return {slices_.data(), count_}; }

private:
    std::array<traced_event, event_log::max_open> slices_{};
    std::size_t count_ = 0;
};

}  // namespace teff
