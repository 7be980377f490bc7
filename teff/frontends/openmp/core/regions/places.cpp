// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes teams and places, sets them up for a region, and keeps them afterwards; see places.hpp.
#include <teff/frontends/openmp/core/regions/places.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/thread.hpp>
#include <teff/frontends/openmp/core/affinity/cpu_places.hpp>
#include <teff/frontends/openmp/core/affinity/display.hpp>
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/regions/region.hpp>
#include <teff/frontends/openmp/core/tasks/task_memory.hpp>
#include <teff/frontends/openmp/core/worksharing/loop.hpp>
#include <teff/strand/worker.hpp>
#include <teff/task/descriptor_pool.hpp>

#include <memory>
#include <new>
#include <unistd.h>

namespace teff::openmp {
namespace {

team& make_team(unsigned capacity) noexcept {
    auto* const made = create<team>();
    void* const places = allocate(capacity * sizeof(place), alignof(place));
    if (made == nullptr || places == nullptr)
        end_without_memory_for_region();
    made->capacity = capacity;
    made->places = static_cast<place*>(places);
    std::uninitialized_default_construct_n(made->places, capacity);
    for (unsigned number = 0; number != capacity; ++number)
        made->places[number].may_cancel = process().may_cancel;
    return *made;
}

// relaxed, all: the start of the region publishes it.
void forget_cancellation(team& in) noexcept {
    if (in.is_cancelled.load(std::memory_order_relaxed))
        restart_loops(in);
    in.is_cancelled.store(false, std::memory_order_relaxed);
    in.cancelled_construct.store(0, std::memory_order_relaxed);
}

void use_list_below(team& next, const region_clauses& clauses) noexcept {
    if (clauses.threads_below_count == 0)
        return;
    next.environment.threads = clauses.threads_below[0];
    next.environment.threads_below = clauses.threads_below + 1;
    next.environment.threads_below_count = static_cast<unsigned short>(clauses.threads_below_count - 1);
}

// Threads that are neither the main thread, nor helpers, nor the pool's workers.
atomic<int> other_threads{0};
constinit thread_local std::int32_t own_number = -1;

// The initial place of a thread, with its team of one.
struct initial_place {
    team in;
    place only;
};
// Waits for the tasks that a thread has made outside all regions, and frees its place and team. Does nothing on the
// main thread, which ends by exit(), while other threads may still run tasks.
constinit thread_local initial_place* own_initial_place = nullptr;
void end_initial_place() noexcept {
    initial_place*& mine = own_initial_place;
    if (mine == nullptr || ::getpid() == ::gettid())
        return;
    wait_at_barrier(mine->only);
    events::implicit_task_ends(mine->only);
    events::thread_ends();
    running_thread.own.place = nullptr;
    free_team(mine->only.kept);
    free_exchanged_blocks(mine->in);
    destroy(mine->only.pools);
    destroy(mine);
    mine = nullptr;
    free_spare_blocks();
}

}  // namespace

void end_without_memory_for_region() noexcept {
    fatal("OpenMP", "there is no memory for a team", "give the process more memory, or use fewer threads");
}

team& team_for(place& opener, unsigned size, const region_clauses& clauses) noexcept {
    if (opener.kept == nullptr || opener.kept->capacity < size) [[unlikely]] {
        free_team(opener.kept);
        opener.kept = &make_team(size);
    }
    team& next = *opener.kept;
    next.opener = &opener;
    for (unsigned number = next.size; number < size; ++number)
        next.places[number].shares.clear();
    next.size = size;
    next.level = opener.in->level + 1;
    next.active_level = opener.in->active_level + (size > 1 ? 1 : 0);
    next.league = opener.in->league;
    const icvs& outer = *opener.current->environment;
    // A false bind-var forbids binding.
    const binding bind = clauses.has_bind && outer.bind != binding::none ? clauses.bind : outer.bind;
    next.environment = at_next_level(outer, bind);
    use_list_below(next, clauses);
    next.bind = opener.cpus.place < 0 ? binding::none : bind;
    next.displays_affinity = process().displays_affinity && is_new_to_display(opener, next);
    // All members have begun the same loops.
    next.first_loop = next.places[0].work.shared_loops;
    if (next.places[0].may_cancel)
        forget_cancellation(next);
    // relaxed, both: the start of the region publishes it. It is written only if necessary, since members would have to
    // fetch the line.
    if (next.singles.load(std::memory_order_relaxed) != 0)
        next.singles.store(0, std::memory_order_relaxed);
    // Cancelled constructs may have left entries.
    next.reductions.forget();
    return next;
}

void free_team(team* ended) noexcept {
    if (ended == nullptr)
        return;
    for (unsigned number = 0; number < ended->capacity; ++number)
        free_team(ended->places[number].kept);
    free_loops(*ended);
    free_exchanged_blocks(*ended);
    std::destroy_n(ended->places, ended->capacity);
    deallocate(ended->places, ended->capacity * sizeof(place), alignof(place));
    destroy(ended);
}

void take_place(place& taken, team& in, unsigned number, unsigned size, task* parent) noexcept {
    taken.in = &in;
    taken.number = number;
    taken.size = size;
    taken.implicit.parent = parent;
    taken.implicit.group = nullptr;
    taken.implicit.environment = &in.environment;
    taken.implicit.children = &taken.deferred;
    taken.implicit.flags = 0;
    taken.implicit.number = 0;
    taken.current = &taken.implicit;
    taken.singles = 0;
    taken.barriers = 0;
    taken.work.shared = nullptr;
    taken.work.crossing = nullptr;
    taken.work.is_early = false;
    taken.work.is_ordered = false;
    taken.shared_reductions = 0;
    taken.shared = nullptr;
    taken.pools = nullptr;
}
void give_place_back(place& left) noexcept {
    // A cancelled loop may not have been left. The caller may run the place around, whose constructs go on.
    if (left.may_cancel && left.work.shared != nullptr)
        leave_shared_loop(left);
    if (left.implicit.is(task::owns_environment))
        release_owned(left.implicit);
}

void give_places_back(team& ended, unsigned size) noexcept {
    // relaxed, both: the barrier at the end of the region orders them.
    if (!ended.places[0].may_cancel && !ended.leaves_something.load(std::memory_order_relaxed)) [[likely]]
        return;
    ended.leaves_something.store(false, std::memory_order_relaxed);
    for (unsigned number = 0; number < size; ++number)
        give_place_back(ended.places[number]);
}

std::int32_t number_of_thread() noexcept {
    constexpr std::int32_t first_other = 5000;
    std::int32_t& mine = own_number;
    if (mine < 0) {
        const unsigned worker = this_thread().worker;
        if (worker != 0)
            mine = static_cast<std::int32_t>(worker + process().helper_numbers);
        else if (::getpid() == ::gettid())
            mine = 0;
        else
            // relaxed: only the number matters.
            mine = first_other + other_threads.fetch_add(1, std::memory_order_relaxed);
        events::thread_begins(worker != 0);
    }
    return mine;
}

void take_number_of_helper(unsigned number) noexcept { own_number = static_cast<std::int32_t>(number); }

place& make_initial_place() noexcept {
    initial_place*& mine = own_initial_place;
    if (mine == nullptr) {
        mine = call_at_thread_end<end_initial_place>() ? create<initial_place>() : nullptr;
        if (mine == nullptr)
            end_without_memory_for_region();
        mine->in.environment = process().initial;
        mine->in.places = &mine->only;
        mine->in.capacity = 1;
        mine->only.cpus.partition.count = static_cast<int>(cpu_places().size());
        mine->only.may_cancel = process().may_cancel;
        take_place(mine->only, mine->in, 0, 1, nullptr);
        running_strand().place = &mine->only;
        mine->only.global_number = number_of_thread();
        // Again, if the destructor of a thread-local object uses the runtime after end_initial_place().
        events::thread_begins(false);
        events::implicit_task_begins(mine->only);
    }
    running_strand().place = &mine->only;
    return mine->only;
}

}  // namespace teff::openmp
