// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The begin and end of worksharing loops, and the schedules that are not on the fast path.
#include <teff/frontends/openmp/core/worksharing/loop.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/worksharing/loop.hpp>

#include <cstring>

namespace teff::openmp {

// The shared part of a loop that a thread begins alone, since the other threads have left the cancelled region.
struct lone_loop : shared_loop {
    lone_loop* next = nullptr;
};

struct loop_ring {
    shared_loop loops[loops_at_once];
    atomic<lone_loop*> lone{nullptr};
};

namespace {

// Called when no thread uses them.
void free_lone_loops(loop_ring& ring) noexcept {
    // relaxed, both: the calling thread is alone.
    lone_loop* each = ring.lone.load(std::memory_order_relaxed);
    ring.lone.store(nullptr, std::memory_order_relaxed);
    while (each != nullptr) {
        lone_loop* const freed = each;
        each = freed->next;
        destroy(freed);
    }
}

void restart(loop_ring& ring) noexcept {
    free_lone_loops(ring);
    std::uint64_t number = 0;
    for (shared_loop& each : ring.loops) {
        each.loop.restart_at(number++);
        // relaxed: no other thread uses the ring.
        each.handed_out.store(0, std::memory_order_relaxed);
        each.left.store(0, std::memory_order_relaxed);
        each.last.clear();
        each.turn.restart_at(0);
        each.memory.free();
        each.crossing.free();
    }
}

[[noreturn]] void end_without_memory() noexcept {
    fatal("OpenMP", "there is no memory for a loop", "give the process more memory");
}

[[gnu::noinline]] loop_ring& make_ring(team& in) noexcept {
    auto* const made = create<loop_ring>();
    if (made == nullptr)
        end_without_memory();
    restart(*made);
    loop_ring* seen = nullptr;
    // release: publishes the ring; partner: the acquire in enter_next_loop(), and the one here on failure.
    if (in.loops.compare_exchange_strong(seen, made, std::memory_order_release, std::memory_order_acquire))
        return *made;
    destroy(made);
    return *seen;
}

[[gnu::noinline]] shared_loop& make_lone_loop(loop_ring& ring) noexcept {
    auto* const made = create<lone_loop>();
    if (made == nullptr)
        end_without_memory();
    // relaxed, all: the list is read at the end of the region only.
    made->next = ring.lone.load(std::memory_order_relaxed);
    while (!ring.lone.compare_exchange_weak(made->next, made, std::memory_order_relaxed, std::memory_order_relaxed))
        ;
    return *made;
}

shared_loop& enter_next_loop(place& caller) noexcept {
    // acquire: sees the ring's contents; partner: the exchange in make_ring().
    loop_ring* ring = caller.in->loops.load(std::memory_order_acquire);
    if (ring == nullptr) [[unlikely]]
        ring = &make_ring(*caller.in);
    const std::uint64_t number = caller.work.shared_loops++;
    shared_loop& entry = ring->loops[number % loops_at_once];
    if (number < caller.work.finished_loops + loops_at_once)
        return entry;
    return entry.loop.await(number, caller.size, caller.in->is_cancelled) ? entry : make_lone_loop(*ring);
}
// The shared part of the thread's present loop.
shared_loop& enter_loop(place& caller) noexcept {
    if (caller.work.shared == nullptr)
        caller.work.shared = &enter_next_loop(caller);
    caller.work.needs_reset = true;
    return *caller.work.shared;
}

// Several of the chunks that are left, at least one.
iteration_range next_shrinking(place& caller) noexcept {
    const loop_position& mine = caller.work;
    atomic<std::uint64_t>& handed_out = mine.shared->handed_out;
    // relaxed, all: only the number matters, as for one chunk.
    std::uint64_t index = handed_out.load(std::memory_order_relaxed);
    while (index < mine.chunks) {
        const std::uint64_t many = (mine.chunks - index - 1) / (2 * caller.size) + 1;
        if (handed_out.compare_exchange_weak(index, index + many, std::memory_order_relaxed,
                                             std::memory_order_relaxed))
            return chunk_at(index, many, mine.chunk, mine.space.count);
    }
    return {};
}

// The number of the thread's present loop, for shares.
std::uint32_t number_of_shares(const place& caller) noexcept {
    return static_cast<std::uint32_t>(caller.work.shared_loops);
}
// Lets the caller take chunks from the share of thread `number`. The loop's last chunk is in no share.
void use_share_of(place& caller, unsigned number) noexcept {
    loop_position& mine = caller.work;
    mine.share = &caller.in->places[number].shares[mine.share_loop];
    if (mine.source == chunk_source::rounds) {
        mine.share_begin = number;
        mine.share_size = mine.rounds.pieces(number);
        return;
    }
    const std::uint64_t shared = mine.chunks == 0 ? 0 : mine.chunks - 1;
    const iteration_range chunks = static_block(shared, number, caller.size);
    mine.share_begin = chunks.begin;
    mine.share_size = chunks.end - chunks.begin;
}
iteration_range part_of_share(const place& caller, std::uint32_t index) noexcept {
    const loop_position& mine = caller.work;
    if (mine.source == chunk_source::shares)
        return chunk_at(mine.share_begin + index, mine.chunk, mine.space.count);
    const iteration_range piece = mine.rounds.piece(index, static_cast<unsigned>(mine.share_begin));
    return {piece.begin * mine.chunk, piece.end * mine.chunk};
}

void begin_shares(place& caller) noexcept {
    loop_position& mine = caller.work;
    // Only a loop without chunks leaves the entry's old number in place, which must not last.
    const bool needs_reset = mine.shared != nullptr || mine.chunks == 0;
    enter_loop(caller);
    mine.needs_reset = needs_reset;
    mine.share_loop = number_of_shares(caller);
    mine.shares_used_up = 0;
    if (mine.source == chunk_source::rounds)
        mine.rounds = {mine.chunks, caller.size};
    use_share_of(caller, caller.number);
}
// Marks the thread's word as unused in this loop.
void enter_without_shares(place& caller) noexcept {
    // The thread adds to the same cache line at once.
    __builtin_prefetch(&enter_loop(caller), 1);
    caller.shares[number_of_shares(caller)].skip(number_of_shares(caller));
}

// The chunk with the last iteration. One thread gets it, as its last chunk: compilers take the last value of a variable
// (lastprivate) from this thread.
iteration_range last_chunk(place& caller) noexcept {
    const loop_position& mine = caller.work;
    loop_share& last = mine.shared->last;
    const std::uint64_t size = mine.chunks == 0 ? 0 : 1;
    if (last.is_used_up(mine.share_loop, size) || last.take(mine.share_loop) >= size)
        return {};
    return chunk_at(mine.chunks - 1, mine.chunk, mine.space.count);
}

// Called when the share that the thread used last is used up.
iteration_range next_of_shares(place& caller) noexcept {
    loop_position& mine = caller.work;
    while (++mine.shares_used_up < caller.size) {
        use_share_of(caller, (caller.number + mine.shares_used_up) % caller.size);
        if (mine.share->is_used_up(mine.share_loop, mine.share_size))
            continue;
        const std::uint32_t index = mine.share->take(mine.share_loop);
        if (index < mine.share_size)
            return part_of_share(caller, index);
    }
    mine.source = chunk_source::none;
    return last_chunk(caller);
}

iteration_range next_of_source(place& caller) noexcept {
    loop_position& mine = caller.work;
    switch (mine.source) {
    case chunk_source::rounds: {
        const std::uint32_t index = mine.share->take(mine.share_loop);
        if (index < mine.share_size)
            return part_of_share(caller, index);
        [[fallthrough]];
    }
    case chunk_source::shares:
        return next_of_shares(caller);
    case chunk_source::counter:
    case chunk_source::counter_slow: {
        // relaxed: only the number matters. The program orders the data that iterations exchange.
        const std::uint64_t index = mine.shared->handed_out.fetch_add(1, std::memory_order_relaxed);
        return index < mine.chunks ? chunk_at(index, mine.chunk, mine.space.count) : iteration_range{};
    }
    case chunk_source::shrinking:
        return next_shrinking(caller);
    case chunk_source::own_chunks: {
        const std::uint64_t index = mine.own_next;
        if (index >= mine.chunks)
            break;
        mine.own_next = mine.chunks - index > caller.size ? index + caller.size : mine.chunks;
        return chunk_at(index, mine.chunk, mine.space.count);
    }
    case chunk_source::own_block:
        mine.source = chunk_source::none;
        return static_block(mine.space.count, caller.number, caller.size);
    case chunk_source::none:
        break;
    }
    return {};
}

chunk_source source_of(const loop_schedule& schedule, std::uint64_t chunks, unsigned size) noexcept {
    // The program cannot observe in which pieces a single thread gets its iterations.
    if (size == 1)
        return chunk_source::own_block;
    switch (schedule.kind) {
    case schedule_kind::dynamic:
        return schedule.is_monotonic || chunks > loop_share::most_chunks ? chunk_source::counter : chunk_source::shares;
    case schedule_kind::guided:
    case schedule_kind::trapezoidal:
    case schedule_kind::automatic:
        return schedule.is_monotonic ? chunk_source::shrinking : chunk_source::rounds;
    case schedule_kind::static_:
        break;
    }
    return schedule.chunk == 0 ? chunk_source::own_block : chunk_source::own_chunks;
}

}  // namespace

loop_schedule schedule_at_run_time(const place& caller, bool is_monotonic) noexcept {
    const run_schedule& chosen = caller.current->environment->schedule;
    return {chosen.kind, chosen.chunk > 0 ? static_cast<std::uint64_t>(chosen.chunk) : 0,
            is_monotonic || chosen.is_monotonic};
}

namespace {

// What a tool is told. A thread that is alone runs a guided loop in one piece.
events::work_kind kind_for_tool(schedule_kind kind, unsigned size) noexcept {
    switch (kind) {
    case schedule_kind::static_:
        return events::work_kind::loop_static;
    case schedule_kind::dynamic:
        return events::work_kind::loop_dynamic;
    case schedule_kind::automatic:
    case schedule_kind::guided:
        return size == 1 ? events::work_kind::loop_static : events::work_kind::loop_guided;
    case schedule_kind::trapezoidal:
        break;
    }
    return events::work_kind::loop_other;
}

}  // namespace

void begin_loop(place& caller, const iteration_space& space, loop_schedule schedule, bool is_ordered) noexcept {
    loop_position& mine = caller.work;
    if (!mine.is_early)
        leave_loop(caller);
    mine.is_early = false;
    mine.space = space;
    mine.chunk = schedule.chunk == 0 ? 1 : schedule.chunk;
    mine.chunks = chunks_of(space.count, mine.chunk);
    // Iterations of ordered and doacross loops wait for earlier ones, so earlier ones are handed out first.
    schedule.is_monotonic |= is_ordered || mine.crossing != nullptr;
    mine.source = source_of(schedule, mine.chunks, caller.size);
    mine.own_next = caller.number;
    mine.is_ordered = is_ordered && caller.size > 1;
    mine.current = {};
    mine.ordered_ends = 0;
    events::loop_begins(kind_for_tool(schedule.kind, caller.size), space.count);
    const bool has_counter = mine.source == chunk_source::counter || mine.source == chunk_source::shrinking;
    const bool has_shares = mine.source == chunk_source::shares || mine.source == chunk_source::rounds;
    if (mine.is_ordered && mine.source == chunk_source::counter)
        mine.source = chunk_source::counter_slow;
    if (has_shares)
        begin_shares(caller);
    else if (has_counter || mine.is_ordered || mine.shared != nullptr)
        enter_without_shares(caller);
}

shared_loop& enter_early(place& caller) noexcept {
    leave_loop(caller);
    caller.work.is_early = true;
    return enter_loop(caller);
}

void* share_memory(place& caller, std::size_t size) noexcept {
    if (caller.work.shared == nullptr)
        enter_without_shares(caller);
    caller.work.needs_reset = true;
    return caller.work.shared->memory.get(size, [size](void* made) { std::memset(made, 0, size); });
}

void begin_sections(place& caller, std::uint64_t count) noexcept {
    events::next_loop_has_sections();
    begin_loop(caller, {.first = 0, .step = 1, .count = count}, {schedule_kind::dynamic, 1}, false);
    if (caller.size == 1)
        caller.work.source = chunk_source::own_chunks;
}

iteration_range next_chunk_slowly(place& caller) noexcept {
    loop_position& mine = caller.work;
    if (!mine.is_ordered)
        return next_of_source(caller);
    pass_turn(caller);
    mine.current = next_of_source(caller);
    mine.ordered_ends = 0;
    return mine.current;
}

void leave_shared_loop(place& caller) noexcept {
    loop_position& mine = caller.work;
    shared_loop& left = *mine.shared;
    mine.shared = nullptr;
    mine.crossing = nullptr;
    mine.is_early = false;
    mine.source = chunk_source::none;
    // release: the uses of the entry by this thread come before the reset below; acquire: so do those of the other
    // threads, whose release this reads.
    if (left.left.fetch_add(1, std::memory_order_acq_rel) + 1 != caller.size)
        return;
    // relaxed, all: advance_to() publishes them.
    left.left.store(0, std::memory_order_relaxed);
    left.handed_out.store(0, std::memory_order_relaxed);
    left.last.skip(number_of_shares(caller));
    left.turn.restart_at(0);
    left.memory.free();
    left.crossing.free();
    left.loop.advance_to(mine.shared_loops - 1 + loops_at_once);
}

void restart_loops(team& in) noexcept {
    // relaxed, both: between two regions the calling thread is alone.
    if (loop_ring* const ring = in.loops.load(std::memory_order_relaxed))
        restart(*ring);
    in.first_loop = 0;
    for (unsigned number = 0; number < in.capacity; ++number)
        in.places[number].shares.clear();
}

void free_loops(team& in) noexcept {
    // relaxed: no other thread uses the team.
    if (loop_ring* const ring = in.loops.load(std::memory_order_relaxed)) {
        free_lone_loops(*ring);
        destroy(ring);
    }
}

}  // namespace teff::openmp
