// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a thread opens a region: the size, the team's memory, and the places of its members.
#include <teff/frontends/openmp/core/region.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/thread_end.hpp>
#include <teff/frontends/openmp/core/affinity/cpu_places.hpp>
#include <teff/frontends/openmp/core/affinity/display.hpp>
#include <teff/frontends/openmp/core/affinity/shared_cpu.hpp>
#include <teff/frontends/openmp/core/affinity/thread_binding.hpp>
#include <teff/frontends/openmp/core/cancellation.hpp>
#include <teff/frontends/openmp/core/loop.hpp>
#include <teff/frontends/openmp/core/task_memory.hpp>
#include <teff/frontends/openmp/core/team.hpp>
#include <teff/frontends/openmp/core/warning.hpp>
#include <teff/runtime/bounded_text.hpp>
#include <teff/runtime/region.hpp>
#include <teff/runtime/stack.hpp>
#include <teff/runtime/team_options.hpp>
#include <teff/runtime/timeline.hpp>
#include <teff/runtime/worker.hpp>
#include <teff/task/task_pools.hpp>

#include <algorithm>
#include <memory>
#include <new>
#include <unistd.h>

namespace teff::openmp {
namespace {

[[noreturn]] void end_without_memory_for_region() noexcept {
    fatal("OpenMP", "there is no memory for a team", "give the process more memory, or use fewer threads");
}

void free_team(team* ended) noexcept {
    if (ended == nullptr)
        return;
    for (unsigned number = 0; number < ended->capacity; ++number)
        free_team(ended->places[number].kept);
    free_loops(*ended);
    std::destroy_n(ended->places, ended->capacity);
    deallocate(ended->places, ended->capacity * sizeof(place), alignof(place));
    destroy(ended);
}

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

// The opener keeps its last inner team. While a region runs in it, a further one cannot begin on the same place.
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
    // relaxed, both: the start of the region publishes it. Not written without need, since the members have to fetch it
    // then.
    if (next.singles.load(std::memory_order_relaxed) != 0)
        next.singles.store(0, std::memory_order_relaxed);
    // Constructs that were cancelled may have left something.
    next.reductions.forget();
    return next;
}

// On the thread itself, at the start of a region. parent: of the implicit task.
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
    // The code of a cancelled loop need not leave it.
    if (left.may_cancel)
        leave_loop(left);
    if (left.implicit.is(task::owns_environment))
        release_owned(left.implicit);
}

// Numbers of threads: 0 is the main thread, then the pool's workers, then all others.
atomic<int> other_threads{0};

std::int32_t number_of_thread() noexcept {
    constexpr std::int32_t first_other = 5000;
    static thread_local std::int32_t mine = -1;
    if (mine < 0) {
        const unsigned worker = this_thread().worker;
        if (worker != 0)
            mine = static_cast<std::int32_t>(worker);
        else if (::getpid() == ::gettid())
            mine = 0;
        else
            // relaxed: only the number matters.
            mine = first_other + other_threads.fetch_add(1, std::memory_order_relaxed);
    }
    return mine;
}

void bind_member(place& member) noexcept {
    const team& in = *member.in;
    member.cpus = position_of(in.bind, member.number, member.size, in.opener->cpus);
    bind_to(member.cpus.place);
}

}  // namespace

// The data that members read when they begin a region. It comes from another processor, so it fits one cache line.
struct alignas(cache_line_size) running_region {
    team& in;
    place* places;
    task* parent;
    std::uint64_t first_loop;
    region_body body;
    void* argument;
    bool is_bound;
    bool displays_affinity;
    int opened_on;  // the opener's CPU; -1: it does not matter

    place& enter(unsigned number, unsigned size) const noexcept {
        // The system has refused all other threads, so the region is not active.
        if (size == 1) [[unlikely]]
            in.active_level = in.opener->in->active_level;
        place& mine = places[number];
        take_place(mine, in, number, size, parent);
        mine.work.shared_loops = first_loop;
        mine.global_number = number_of_thread();
        if (is_bound) [[unlikely]]
            bind_member(mine);
        else if (number != 0)
            leave_cpu_of_opener(opened_on);
        running_strand().place = &mine;
        if (displays_affinity) [[unlikely]]
            display_affinity(mine, {});
        // How a thread waits depends on how much of its stack is used (deferral.hpp).
        measured_stack();
        return mine;
    }
    static void run_member(void* argument, unsigned number, unsigned size) noexcept {
        const auto& self = *static_cast<const running_region*>(argument);
        self.body(self.enter(number, size), self.argument);
    }
};

namespace {

static_assert(sizeof(running_region) == cache_line_size);

running_region region_in(team& next, place& opener, region_body body, void* argument) noexcept {
    return {.in = next,
            .places = next.places,
            .parent = opener.current,
            .first_loop = next.first_loop,
            .body = body,
            .argument = argument,
            .is_bound = next.bind != binding::none,
            .displays_affinity = next.displays_affinity,
            .opened_on = next.size > process().processors ? -1 : ::sched_getcpu()};
}

// The options of all regions, for each time that threads have been told to spin. They stay for good: a team is
// recognised by their address.
struct region_options {
    team_options values;
    const region_options* next;
};
atomic<const region_options*> newest_options{nullptr};

const team_options& options_of_regions() noexcept {
    // relaxed: see device_icvs.
    const long spin_us = device().spin_us.load(std::memory_order_relaxed);
    // acquire: sees the values; partner: the release below.
    const region_options* first = newest_options.load(std::memory_order_acquire);
    for (const region_options* each = first; each != nullptr; each = each->next)
        if (each->values.spin_us == spin_us) [[likely]]
            return each->values;
    auto* const made = create<region_options>(resolve({}), first);
    if (made == nullptr)
        end_without_memory_for_region();
    made->values.spin_us = spin_us;
    made->values.queues_all = !process().throttles_tasks;
    // release: publishes the values; partner: the acquire above. Two threads may add the same values.
    // acquire: sees the values that another thread has added meanwhile.
    while (!newest_options.compare_exchange_weak(made->next, made, std::memory_order_release,
                                                 std::memory_order_acquire)) {
    }
    return made->values;
}

// The initial place of a thread, with its team of one.
struct initial_place {
    team in;
    place only;
};
// Waits for the tasks that a thread has made outside of all regions, and frees what it keeps. The main thread ends by
// exit(), and other threads may still run tasks then.
constinit thread_local initial_place* own_initial_place = nullptr;
void end_initial_place() noexcept {
    initial_place*& mine = own_initial_place;
    if (mine == nullptr || ::getpid() == ::gettid())
        return;
    wait_at_barrier(mine->only);
    running_thread.own.place = nullptr;
    free_team(mine->only.kept);
    destroy(mine->only.pools);
    destroy(mine);
    mine = nullptr;
    free_spare_blocks();
}

// How many threads a region that `opener` opens may have, if all threads of the teams around it open such regions: the
// limit holds for all of them together.
unsigned share_of_limit(const place& opener, unsigned thread_limit) noexcept {
    for (const place* each = &opener; thread_limit != no_limit && each->in->level > 0; each = each->in->opener)
        thread_limit /= each->size;
    return thread_limit;
}

[[gnu::noinline]] bool wait_unless_cancelled(place& here) noexcept {
    ++here.barriers;
    if (here.size > 1)
        return wait_at_cancellable_barrier();
    wait_for(here, here.unfinished, nullptr);
    return is_cancelled(here, cancellable::parallel);
}

}  // namespace

unsigned size_of_region(const place& opener, unsigned requested) noexcept {
    constexpr unsigned most = 4096;
    const icvs& here = *opener.current->environment;
    // relaxed: see device_icvs.
    const bool is_serial = device().library.load(std::memory_order_relaxed) == library_mode::serial;
    if (is_serial || opener.in->active_level >= here.max_active_levels)
        return 1;
    unsigned limit = share_of_limit(opener, here.thread_limit);
    if (here.is_dynamic)
        limit = std::min(limit, process().processors);
    return std::max(std::min({requested != 0 ? requested : here.threads, limit, most}), 1U);
}

namespace {

[[gnu::noinline]] void tell_of_other_size(const region_clauses& clauses, unsigned size) noexcept {
    char storage[512];
    bounded_text line(storage);
    line.add("num_threads(strict: ").add(static_cast<long>(clauses.threads)).add("): the region gets ");
    line.add(static_cast<long>(size)).add(size == 1 ? " thread" : " threads");
    if (clauses.message != nullptr)
        line.add(": ").add(clauses.message);
    if (clauses.strict == region_clauses::strictness::ends_the_program)
        end_with_error(error_strict_threads, storage);
    warn_of(warning_strict_threads, storage);
}

place& enter_alone(place& opener, team& next) noexcept {
    place& mine = next.places[0];
    take_place(mine, next, 0, 1, opener.current);
    mine.work.shared_loops = next.first_loop;
    mine.global_number = opener.global_number;
    mine.cpus = opener.cpus;
    mine.pools = opener.pools;
    running_strand().place = &mine;
    return mine;
}

}  // namespace

place& enter_serial_region(place& opener, const region_clauses& clauses) noexcept {
    settle(opener);
    place& mine = enter_alone(opener, team_for(opener, 1, clauses));
    if (mine.in->displays_affinity) [[unlikely]]
        display_affinity(mine, {});
    return mine;
}

place& enter_initial_region(place& opener, unsigned thread_limit, const place_in_league& league) noexcept {
    settle(opener);
    team& next = team_for(opener, 1, {});
    next.level = next.active_level = 0;
    next.league = league;
    next.environment = *opener.current->environment;
    if (thread_limit != 0)
        next.environment.thread_limit = thread_limit;
    return enter_alone(opener, next);
}

void leave_serial_region(place& here) noexcept {
    wait_at_barrier(here);
    give_place_back(here);
    place& opener = *here.in->opener;
    opener.pools = here.pools;
    running_strand().place = &opener;
    unsettle(opener);
}

void run_region(place& opener, const region_clauses& clauses, region_body body, void* argument) noexcept {
    const unsigned size = clauses.is_serial ? 1 : size_of_region(opener, clauses.threads);
    if (clauses.strict != region_clauses::strictness::none && size != clauses.threads) [[unlikely]]
        tell_of_other_size(clauses, size);
    if (size == 1) {
        place& mine = enter_serial_region(opener, clauses);
        body(mine, argument);
        leave_serial_region(mine);
        return;
    }
    settle(opener);
    team& next = team_for(opener, size, clauses);
    running_region region = region_in(next, opener, body, argument);
    try {
        const unsigned got =
            teff::run_region_with(options_of_regions(), size, &running_region::run_member, &region);
        next.size = got;
        for (unsigned number = 0; number < got; ++number)
            give_place_back(next.places[number]);
        unsettle(opener);
    } catch (const std::bad_alloc&) {
        end_without_memory_for_region();
    }
}

place& begin_region(place& opener, const region_clauses& clauses, region_body body, void* argument) noexcept {
    const unsigned size = clauses.is_serial ? 1 : size_of_region(opener, clauses.threads);
    settle(opener);
    team& next = team_for(opener, size, clauses);
    // Not in this frame, which ends before the region does.
    auto* const region = create<running_region>(region_in(next, opener, body, argument));
    if (region == nullptr)
        end_without_memory_for_region();
    next.begun = region;
    if (size == 1)
        return enter_alone(opener, next);
    try {
        const unsigned got =
            teff::begin_region_with(options_of_regions(), size, &running_region::run_member, region);
        next.size = got;
        return region->enter(0, got);
    } catch (const std::bad_alloc&) {
        end_without_memory_for_region();
    }
}

void* end_region(place& here) noexcept {
    team& ended = *here.in;
    place& opener = *ended.opener;
    void* const argument = ended.begun->argument;
    const unsigned size = here.size;
    if (size == 1) {
        leave_serial_region(here);
    } else {
        teff::end_region();
        for (unsigned number = 0; number < size; ++number)
            give_place_back(ended.places[number]);
        unsettle(opener);
    }
    destroy(ended.begun);
    ended.begun = nullptr;
    return argument;
}

bool wait_at_barrier(place& here) noexcept {
    if (here.may_cancel) [[unlikely]]
        return wait_unless_cancelled(here);
    if (here.size > 1)
        teff::wait_at_barrier();
    else
        wait_for(here, here.unfinished, nullptr);
    return false;
}

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
        mine->only.global_number = number_of_thread();
    }
    running_strand().place = &mine->only;
    return mine->only;
}

}  // namespace teff::openmp

const void* teff::traced_function_of_region(region_function body, const void* argument) noexcept {
    if (body != &openmp::running_region::run_member)
        return nullptr;
    const void* const given = static_cast<const openmp::running_region*>(argument)->argument;
    return given != nullptr ? *static_cast<const void* const*>(given) : nullptr;
}
