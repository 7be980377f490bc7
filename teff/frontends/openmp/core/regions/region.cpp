// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a thread opens a region: the size, the members' entry, the end. places.hpp has the teams and places. A league is
// a sequence of initial regions.
#include <teff/frontends/openmp/core/regions/region.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/bounded_text.hpp>
#include <teff/frontends/openmp/core/affinity/binding.hpp>
#include <teff/frontends/openmp/core/affinity/display.hpp>
#include <teff/frontends/openmp/core/affinity/shared_cpu.hpp>
#include <teff/frontends/openmp/core/environment/warning.hpp>
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/regions/places.hpp>
#include <teff/frontends/openmp/core/tasks/wait.hpp>
#include <teff/frontends/openmp/core/teams/cancellation.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>
#include <teff/observe/timeline.hpp>
#include <teff/strand/stack.hpp>
#include <teff/team/region.hpp>
#include <teff/team/team_options.hpp>

#include <algorithm>
#include <new>
#include <sched.h>

namespace teff::openmp {
namespace {

void bind_member(place& member) noexcept {
    const team& in = *member.in;
    member.cpus = position_of(in.bind, member.number, member.size, in.opener->cpus);
    bind_to(member.cpus.place);
}

// For a tool: the barrier at the end of the region is one more, so that all members have reported the end of their
// implicit tasks before the opener reports the end of the region.
void report_end(place& member) noexcept {
    if constexpr (events::are_reported) {
        {
            const events::sync_region waits(events::sync_kind::barrier_parallel);
            wait_at_barrier(member);
        }
        events::implicit_task_ends(member);
    }
}

}  // namespace

// The data that members read when they begin a region. It fits one cache line, which each member fetches from the
// opener's processor.
struct alignas(cache_line_size) running_region {
    team& in;
    place* places;
    task* parent;
    std::uint64_t first_loop;
    region_body body;
    void* argument;
    bool is_bound;
    bool displays_affinity;
    int opened_on;  // the opener's CPU; -1: members may share it

    place& enter(unsigned number, unsigned size) const noexcept {
        // The system has refused to make any other thread, so the region is not active.
        if (size == 1) [[unlikely]]
            in.active_level = in.opener->in->active_level;
        place& mine = places[number];
        take_place(mine, in, number, size, parent);
        mine.work.shared_loops = mine.work.finished_loops = first_loop;
        // The callback of a thread that begins may ask for its place.
        if constexpr (events::are_reported)
            running_strand().place = &mine;
        mine.global_number = number_of_thread();
        if (is_bound) [[unlikely]]
            bind_member(mine);
        else if (number != 0)
            leave_cpu_of_opener(opened_on);
        running_strand().place = &mine;
        if (displays_affinity) [[unlikely]]
            display_affinity(mine, {});
        events::implicit_task_begins(mine);
        // How a thread waits depends on how much of its stack is used (deferral.hpp).
        measured_stack();
        return mine;
    }
    static void run_member(void* argument, unsigned number, unsigned size) noexcept {
        const auto& self = *static_cast<const running_region*>(argument);
        place& mine = self.enter(number, size);
        self.body(mine, self.argument);
        report_end(mine);
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

// The options of all regions, one entry for each spinning time that has been set. They are never freed, since a team is
// recognised by the address of its options.
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

// The number of threads that a region opened by `opener` may have. The limit holds for all regions together that the
// threads of the teams around it may open.
unsigned share_of_limit(const place& opener, unsigned thread_limit) noexcept {
    for (const place* each = &opener; thread_limit != no_limit && each->in->level > 0; each = each->in->opener)
        thread_limit /= each->size;
    return thread_limit;
}

[[gnu::noinline]] bool wait_unless_cancelled(place& caller) noexcept {
    ++caller.barriers;
    if (caller.size > 1)
        return wait_at_cancellable_barrier();
    wait_for(caller, caller.unfinished, nullptr);
    return is_cancelled(caller, cancellable::parallel);
}

}  // namespace

unsigned size_of_region(const place& opener, unsigned requested) noexcept {
    constexpr unsigned most = 4096;
    const icvs& settings = *opener.current->environment;
    // relaxed: see device_icvs.
    const bool is_serial = device().library.load(std::memory_order_relaxed) == library_mode::serial;
    if (is_serial || opener.in->active_level >= settings.max_active_levels)
        return 1;
    unsigned limit = share_of_limit(opener, settings.thread_limit);
    if (settings.is_dynamic)
        limit = std::min(limit, process().processors);
    return std::max(std::min({requested != 0 ? requested : settings.threads, limit, most}), 1U);
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
    mine.work.shared_loops = mine.work.finished_loops = next.first_loop;
    mine.global_number = opener.global_number;
    mine.cpus = opener.cpus;
    mine.pools = opener.pools;
    running_strand().place = &mine;
    return mine;
}

}  // namespace

place& enter_serial_region(place& opener, const region_clauses& clauses) noexcept {
    bind_initial_thread(opener);
    team& next = team_for(opener, 1, clauses);
    events::region_begins(opener, next, events::invoked_by_runtime | events::is_team);
    place& mine = enter_alone(opener, next);
    events::implicit_task_begins(mine);
    if (mine.in->displays_affinity) [[unlikely]]
        display_affinity(mine, {});
    return mine;
}

place& enter_initial_region(place& opener, unsigned thread_limit, const place_in_league& league) noexcept {
    bind_initial_thread(opener);
    team& next = team_for(opener, 1, {});
    next.level = next.active_level = 0;
    next.league = league;
    next.environment = *opener.current->environment;
    if (thread_limit != 0)
        next.environment.thread_limit = thread_limit;
    place& mine = enter_alone(opener, next);
    events::team_begins(mine);
    return mine;
}

void leave_serial_region(place& caller) noexcept {
    wait_at_barrier(caller);
    give_place_back(caller);
    team& ended = *caller.in;
    place& opener = *ended.opener;
    opener.pools = caller.pools;
    events::implicit_task_ends(caller);
    running_strand().place = &opener;
    events::region_ends(opener, ended);
    unbind_initial_thread(opener);
}

void run_region(place& opener, const region_clauses& clauses, region_body body, void* argument) noexcept {
    const unsigned size = clauses.is_serial ? 1 : size_of_region(opener, clauses.threads);
    if (!clauses.is_serial)
        events::region_requested(clauses.threads != 0 ? clauses.threads : opener.current->environment->threads);
    if (clauses.strict != region_clauses::strictness::none && size != clauses.threads) [[unlikely]]
        tell_of_other_size(clauses, size);
    if (size == 1) {
        place& mine = enter_serial_region(opener, clauses);
        body(mine, argument);
        leave_serial_region(mine);
        return;
    }
    bind_initial_thread(opener);
    team& next = team_for(opener, size, clauses);
    events::region_begins(opener, next, events::invoked_by_runtime | events::is_team);
    running_region region = region_in(next, opener, body, argument);
    try {
        const unsigned got =
            teff::run_region_with(options_of_regions(), size, &running_region::run_member, &region);
        next.size = got;
        give_places_back(next, got);
        events::region_ends(opener, next);
        unbind_initial_thread(opener);
    } catch (const std::bad_alloc&) {
        end_without_memory_for_region();
    }
}

place& begin_region(place& opener, const region_clauses& clauses, region_body body, void* argument) noexcept {
    const unsigned size = clauses.is_serial ? 1 : size_of_region(opener, clauses.threads);
    if (!clauses.is_serial)
        events::region_requested(clauses.threads != 0 ? clauses.threads : opener.current->environment->threads);
    bind_initial_thread(opener);
    team& next = team_for(opener, size, clauses);
    events::region_begins(opener, next, events::invoked_by_program | events::is_team);
    // Not in this frame, which ends before the region.
    auto* const region = create<running_region>(region_in(next, opener, body, argument));
    if (region == nullptr)
        end_without_memory_for_region();
    next.begun = region;
    if (size == 1) {
        place& mine = enter_alone(opener, next);
        events::implicit_task_begins(mine);
        return mine;
    }
    try {
        const unsigned got =
            teff::begin_region_with(options_of_regions(), size, &running_region::run_member, region);
        next.size = got;
        return region->enter(0, got);
    } catch (const std::bad_alloc&) {
        end_without_memory_for_region();
    }
}

void* end_region(place& caller) noexcept {
    team& ended = *caller.in;
    place& opener = *ended.opener;
    void* const argument = ended.begun->argument;
    const unsigned size = caller.size;
    if (size == 1) {
        leave_serial_region(caller);
    } else {
        report_end(caller);
        teff::end_region();
        give_places_back(ended, size);
        events::region_ends(opener, ended);
        unbind_initial_thread(opener);
    }
    destroy(ended.begun);
    ended.begun = nullptr;
    return argument;
}

bool wait_at_barrier(place& caller) noexcept {
    if (caller.may_cancel) [[unlikely]]
        return wait_unless_cancelled(caller);
    if (caller.size > 1)
        teff::wait_at_barrier();
    else
        wait_for(caller, caller.unfinished, nullptr);
    return false;
}

unsigned size_of_league(const teams_clauses& clauses) noexcept {
    if (clauses.most != 0)
        return clauses.most;
    // relaxed: see device_icvs.
    const int usual = device().teams.load(std::memory_order_relaxed);
    const unsigned teams = usual > 0 ? static_cast<unsigned>(usual) : 1;
    return teams < clauses.least ? clauses.least : teams;
}

place& enter_team(place& opener, unsigned limit, const place_in_league& league) noexcept {
    if (limit == 0)
        // relaxed: see device_icvs. 0: no limit of its own.
        limit = static_cast<unsigned>(device().teams_thread_limit.load(std::memory_order_relaxed));
    place& mine = enter_initial_region(opener, limit, league);
    if (mine.cpus.place >= 0) {
        const unsigned thread_limit = mine.in->environment.thread_limit;
        mine.cpus = position_of_team(process().teams_bind, league.number, league.size, thread_limit, mine.cpus);
        bind_to(mine.cpus.place);
    }
    return mine;
}
void leave_team(place& caller) noexcept {
    place& opener = *caller.in->opener;
    const bool is_last = caller.in->league.number + 1 == caller.in->league.size;
    leave_serial_region(caller);
    if (is_last)
        bind_to(opener.cpus.place);
}

void run_teams(place& opener, const teams_clauses& clauses, region_body body, void* argument) noexcept {
    const unsigned size = size_of_league(clauses);
    events::league_begins(opener, size);
    for (unsigned number = 0; number < size; ++number) {
        place& mine = enter_team(opener, clauses.thread_limit, {number, size});
        body(mine, argument);
        leave_team(mine);
    }
    events::league_ends(opener);
}

}  // namespace teff::openmp

const void* teff::traced_function_of_region(region_function body, const void* argument) noexcept {
    if (body != &openmp::running_region::run_member)
        return nullptr;
    const void* const given = static_cast<const openmp::running_region*>(argument)->argument;
    return given != nullptr ? *static_cast<const void* const*>(given) : nullptr;
}
