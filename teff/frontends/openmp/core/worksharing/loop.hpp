// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Worksharing constructs: loops (OpenMP 5.1, section 2.11.4), sections, which are loops over the sections' numbers, and
// single (section 2.10.2).
//
// Each thread computes for itself all that depends on the loop's bounds alone. The threads share only what they must:
// the counter of chunks that were handed out, and the turn of ordered regions. A static loop without `ordered` shares
// nothing. A dynamic loop hands out a chunk by one addition to a counter, which counts chunks and not iterations, so it
// cannot overflow. If the chunks may be handed out in any order, each thread has a counter for its share of them
// (loop_shares.hpp); otherwise there is one counter for all. A guided loop hands out several chunks at once, fewer
// towards the end, so each of its pieces is a multiple of the chunk size.
//
// The shared loops of a region lie in a ring of the team. Loop number k uses the entry k modulo loops_at_once, after
// the last thread has left loop k - loops_at_once. A free entry is ready for use, since its counter is zero: no thread
// sets it up for the others. A thread that is loops_at_once loops ahead of another one waits for it.
//
// A loop whose threads have shares leaves nothing in its entry that must be reset. So if a barrier ends it, the threads
// are not counted when they leave: after the barrier each thread knows that all loops before are finished.
//
//                         begin    next_chunk    leave    safe together?
//   begin, next_chunk, leave            yes               each thread of the team for itself, in this order
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/locks.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/synchronization/waiters.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>

#include <cstddef>

namespace teff::openmp {

// Memory that the threads of a construct share and that few constructs need: the first thread that asks for it makes
// it. Between two uses it is empty.
//
//            get    free    safe together?
//   get      yes     -      each with the same size
//   free             -      the last thread that uses it
class shared_memory {
public:
    static constexpr std::size_t alignment = 64;

    shared_memory() noexcept = default;
    ~shared_memory() { free(); }
    shared_memory(const shared_memory&) = delete;
    shared_memory& operator=(const shared_memory&) = delete;

    // make(memory): constructs the contents, before another thread sees them.
    template <class Make>
    void* get(std::size_t size, const Make& make) noexcept {
        const scoped_lock locked(guard_);
        if (memory_ == nullptr) {
            memory_ = allocate(size, alignment);
            if (memory_ == nullptr)
                fatal("OpenMP", "there is no memory for what the threads of a loop share",
                      "give the process more memory");
            size_ = size;
            make(memory_);
        }
        return memory_;
    }
    void free() noexcept {
        if (memory_ != nullptr)
            deallocate(memory_, size_, alignment);
        memory_ = nullptr;
    }

private:
    mutex guard_;
    void* memory_ = nullptr;
    std::size_t size_ = 0;
};

struct alignas(false_sharing_range) shared_loop {
    // The number of the loop that may use the entry: it grows by loops_at_once when the last thread leaves.
    progress loop;
    atomic<std::uint64_t> handed_out{0};  // chunks
    atomic<std::uint32_t> left{0};        // threads
    loop_share last;                      // the last chunk of a loop with shares
    shared_memory memory;    // for the compiler's code (share_memory)
    shared_memory crossing;  // of a doacross loop
    // The first iteration of the chunk whose thread may run ordered regions.
    alignas(false_sharing_range) progress turn;
};

struct loop_schedule {
    schedule_kind kind = schedule_kind::static_;
    std::uint64_t chunk = 0;  // 0: none was given
    // Whether each thread gets its chunks in the order of the iterations.
    bool is_monotonic = true;
};

// The run-sched-var of the running task. is_monotonic: whether a modifier of the loop asks for a monotonic schedule.
loop_schedule schedule_at_run_time(const place& caller, bool is_monotonic) noexcept;

// Enters the shared part of the thread's next loop before the loop begins.
shared_loop& enter_early(place& caller) noexcept;

// The thread begins a loop.
void begin_loop(place& caller, const iteration_space& space, loop_schedule schedule, bool is_ordered) noexcept;

// The thread begins a construct with `count` sections. Each is a chunk.
void begin_sections(place& caller, std::uint64_t count) noexcept;

// Zeroed memory that the threads share until they leave the present loop or sections. Each of them asks for this size.
void* share_memory(place& caller, std::size_t size) noexcept;

// Returns the iterations that the thread runs next, as iteration numbers; an empty range: nothing is left. In an
// ordered loop the thread first waits for its turn, and passes the turn on.
[[gnu::noinline]] iteration_range next_chunk_slowly(place& caller) noexcept;
inline iteration_range next_chunk(place& caller) noexcept {
    loop_position& mine = caller.work;
    if (mine.source != chunk_source::shares) [[unlikely]]
        return next_chunk_slowly(caller);
    const std::uint32_t index = mine.share->take(mine.share_loop);
    if (index >= mine.share_size) [[unlikely]]
        return next_chunk_slowly(caller);
    return chunk_at(mine.share_begin + index, mine.chunk, mine.space.count);
}

// Called when the thread has run its last chunk, or gives up the rest since the loop is cancelled. Does nothing if it
// has already left the loop. After a cancellation each thread calls it before it begins another loop.
[[gnu::noinline]] void leave_shared_loop(place& caller) noexcept;
inline void leave_loop(place& caller) noexcept {
    events::work_ends();
    if (caller.work.shared != nullptr)
        leave_shared_loop(caller);
}

// As leave_loop(), for a thread that goes to a barrier of the team next and calls pass_loops() after it.
inline void leave_loop_for_barrier(place& caller) noexcept {
    if (caller.work.needs_reset)
        return leave_loop(caller);
    events::work_ends();
    caller.work.shared = nullptr;
    caller.work.source = chunk_source::none;
}
inline void pass_loops(place& caller) noexcept { caller.work.finished_loops = caller.work.shared_loops; }

// Called between two regions, for a team whose threads may have left loops unfinished.
void restart_loops(team& in) noexcept;
void free_loops(team& in) noexcept;

// Ordered regions without dependences (OpenMP 5.1, section 2.19.9). The turn goes from chunk to chunk: it is the number
// of the first iteration of the chunk whose thread may run ordered regions. Within a chunk one thread runs the
// iterations in their order.
//
// A thread passes the turn on at the end of its chunk, since an iteration need not execute the region. It does so
// earlier, at the end of the region, when it has executed as many regions as the chunk has iterations: an iteration
// executes at most one. So with chunks of one iteration, what follows the region in the body overlaps.

// Waits for the turn of the thread's present chunk.
inline void begin_ordered(place& caller) noexcept {
    const loop_position& mine = caller.work;
    if (mine.is_ordered && !mine.current.is_empty())
        mine.shared->turn.await(mine.current.begin, caller.size, caller.in->is_cancelled);
}

// Waits for the turn and passes it on, unless the thread has passed it on already.
inline void pass_turn(place& caller) noexcept {
    loop_position& mine = caller.work;
    if (mine.current.is_empty())
        return;
    begin_ordered(caller);
    mine.shared->turn.advance_to(mine.current.end);
    mine.current = {};
}

inline void end_ordered(place& caller) noexcept {
    loop_position& mine = caller.work;
    if (mine.is_ordered && ++mine.ordered_ends == mine.current.end - mine.current.begin)
        pass_turn(caller);
}

// Begins a single construct. True: the calling thread executes the block. The threads of a team encounter the same
// single constructs in the same order, so each counts those that it has begun. The team's counter is the number that
// some thread has begun: the thread that advances it to its own count executes the block.
inline bool begin_single(place& caller) noexcept {
    if (caller.size == 1)
        return true;
    atomic<unsigned>& begun = caller.in->singles;
    const unsigned before = caller.singles++;
    unsigned expected = before;
    // relaxed, all: it only decides which thread executes the block. The load spares late threads the write.
    return begun.load(std::memory_order_relaxed) == before &&
           begun.compare_exchange_strong(expected, before + 1, std::memory_order_relaxed, std::memory_order_relaxed);
}

}  // namespace teff::openmp
