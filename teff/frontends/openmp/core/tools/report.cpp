// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the tool back for each event; see events/events.hpp.
#include <teff/frontends/openmp/core/events/events.hpp>

#if TEFF_OPENMP_CALLS_TOOL

#include <teff/frontends/openmp/core/tasks/completion_event.hpp>
#include <teff/frontends/openmp/core/teams/cancellation.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>
#include <teff/frontends/openmp/core/tools/callbacks.hpp>
#include <teff/frontends/openmp/core/tools/dependence_pairs.hpp>

#include <cstring>
#include <sched.h>

namespace teff::openmp::events {

using tools::call;
using tools::own_thread;

namespace {

constexpr int frame_flags = ompt_frame_runtime | ompt_frame_framepointer;

ompt_data_t* data_of(team& some) noexcept { return &some.tool.data; }
ompt_data_t* data_of(task& some) noexcept { return &some.tool.data; }
ompt_data_t* parallel_data() noexcept { return data_of(*this_place().in); }
ompt_data_t* task_data() noexcept { return data_of(*this_place().current); }

ompt_wait_id_t id_of(const void* object) noexcept { return reinterpret_cast<ompt_wait_id_t>(object); }

// An entry point may be called by another one, whose call is the program's.
const void* address_of(call_site from) noexcept {
    return own_thread.called_from != nullptr ? own_thread.called_from : from.return_address;
}

int state_in(sync_kind kind) noexcept {
    // By the numbers of sync_kind; the first three are not used.
    constexpr int states[] = {ompt_state_undefined,
                              ompt_state_undefined,
                              ompt_state_undefined,
                              ompt_state_wait_barrier_explicit,
                              ompt_state_wait_barrier_implementation,
                              ompt_state_wait_taskwait,
                              ompt_state_wait_taskgroup,
                              ompt_state_work_reduction,
                              ompt_state_wait_barrier_implicit_workshare,
                              ompt_state_wait_barrier_implicit_parallel,
                              ompt_state_wait_barrier_teams};
    return states[static_cast<int>(kind)];
}

int state_in(mutex_kind kind) noexcept {
    switch (kind) {
    case mutex_kind::critical:
        return ompt_state_wait_critical;
    case mutex_kind::atomic:
        return ompt_state_wait_atomic;
    case mutex_kind::ordered:
        return ompt_state_wait_ordered;
    default:
        return ompt_state_wait_lock;
    }
}

// impl: how the lock is made; 2: waiters form a queue.
constexpr unsigned queuing = 2;

void report_sync(sync_kind kind, ompt_scope_endpoint_t endpoint, const void* from) noexcept {
    const auto number = static_cast<ompt_sync_region_t>(kind);
    const bool begins = endpoint == ompt_scope_begin;
    // After the barrier at its end the region may be gone.
    const bool is_last = kind == sync_kind::barrier_parallel || kind == sync_kind::barrier_teams;
    ompt_data_t* const parallel = begins || !is_last ? parallel_data() : nullptr;
    // taskgroup_begins() has reported the region.
    if (begins && kind != sync_kind::taskgroup)
        call<ompt_callback_sync_region_t>(ompt_callback_sync_region, number, endpoint, parallel, task_data(), from);
    call<ompt_callback_sync_region_t>(ompt_callback_sync_region_wait, number, endpoint, parallel, task_data(), from);
    if (!begins)
        call<ompt_callback_sync_region_t>(ompt_callback_sync_region, number, endpoint, parallel, task_data(), from);
}
void report_reduction(ompt_scope_endpoint_t endpoint) noexcept {
    call<ompt_callback_sync_region_t>(ompt_callback_reduction, ompt_sync_region_reduction, endpoint, parallel_data(),
                                      task_data(), own_thread.called_from);
}
void report_work(const open_work& work, ompt_scope_endpoint_t endpoint) noexcept {
    call<ompt_callback_work_t>(ompt_callback_work, static_cast<ompt_work_t>(work.kind), endpoint, parallel_data(),
                               task_data(), work.count, own_thread.called_from);
}
void begin_work(const open_work& work) noexcept {
    task_record& in = this_place().current->tool;
    // A taskloop inside of a loop nests; more constructs than this do not.
    if (in.open_count < task_record::most_open)
        in.open[in.open_count++] = work;
    report_work(work, ompt_scope_begin);
}
void report_chunk(task& in, ompt_dispatch_t kind, const void* described) noexcept {
    ompt_data_t instance{};
    instance.ptr = const_cast<void*>(described);
    call<ompt_callback_dispatch_t>(ompt_callback_dispatch, parallel_data(), data_of(in), kind, instance);
}

}  // namespace

frame_slot exit_frame_of(task& running) noexcept { return {&running.tool.frame.exit_frame.ptr}; }

runtime_call::runtime_call(call_site from) noexcept
    : in_(*this_place().current), frame_before_(in_.tool.frame.enter_frame.ptr),
      called_from_before_(own_thread.called_from) {
    if (frame_before_ != nullptr)
        return;
    in_.tool.frame.enter_frame.ptr = from.frame;
    in_.tool.frame.enter_frame_flags = frame_flags;
    own_thread.called_from = from.return_address;
}
runtime_call::~runtime_call() {
    own_thread.called_from = called_from_before_;
    if (!stays_open_)
        in_.tool.frame.enter_frame.ptr = frame_before_;
}
void runtime_call::stays_open(task& inside) noexcept {
    stays_open_ = true;
    // The program itself calls the function of the new task: in the frame that the entry point has saved.
    inside.tool.frame.exit_frame.ptr = *static_cast<void**>(in_.tool.frame.enter_frame.ptr);
    inside.tool.frame.exit_frame_flags = frame_flags;
}
void close_call(task& outside) noexcept { outside.tool.frame.enter_frame.ptr = nullptr; }

program_call::program_call(task& running, void* frame) noexcept
    : running_(running), before_(running.tool.frame.exit_frame.ptr), called_from_before_(own_thread.called_from) {
    own_thread.called_from = nullptr;
    running.tool.frame.exit_frame.ptr = frame;
    running.tool.frame.exit_frame_flags = frame_flags;
}
program_call::~program_call() {
    own_thread.called_from = called_from_before_;
    running_.tool.frame.exit_frame.ptr = before_;
}

task_yield::task_yield() noexcept { own_thread.yields = true; }
task_yield::~task_yield() { own_thread.yields = false; }

depend_wait::depend_wait() noexcept {
    task& encountering = *this_place().current;
    as_task_.flags = ompt_task_taskwait | ompt_task_undeferred | ompt_task_mergeable;
    call<ompt_callback_task_create_t>(ompt_callback_task_create, data_of(encountering), &encountering.tool.frame,
                                      &as_task_.data, as_task_.flags, 1, own_thread.called_from);
}
depend_wait::~depend_wait() {
    call<ompt_callback_task_schedule_t>(ompt_callback_task_schedule, &as_task_.data, ompt_taskwait_complete,
                                        task_data());
}

sync_region::sync_region(sync_kind kind) noexcept
    : kind_(kind), state_before_(own_thread.state),
      called_from_(kind == sync_kind::barrier_parallel && this_place().number == 0 ? this_place().in->tool.called_from
                                                                                   : own_thread.called_from) {
    report_sync(kind, ompt_scope_begin, called_from_);
    own_thread.state = state_in(kind);
}
sync_region::~sync_region() {
    own_thread.state = state_before_;
    report_sync(kind_, ompt_scope_end, called_from_);
}

void region_requested(unsigned threads) noexcept { own_thread.requested_threads = threads; }
void region_begins(place& opener, team& next, int flags) noexcept {
    const unsigned requested = own_thread.requested_threads;
    own_thread.requested_threads = 1;
    next.tool = {};
    next.tool.called_from = own_thread.called_from;
    next.tool.flags = flags;
    task& encountering = *opener.current;
    call<ompt_callback_parallel_begin_t>(ompt_callback_parallel_begin, data_of(encountering), &encountering.tool.frame,
                                         data_of(next), requested, flags, next.tool.called_from);
}
void region_ends(place& opener, team& ended) noexcept {
    if (ended.tool.is_in_league)
        return;
    call<ompt_callback_parallel_end_t>(ompt_callback_parallel_end, data_of(ended), data_of(*opener.current),
                                       ended.tool.flags, ended.tool.called_from);
}

void implicit_task_begins(place& member) noexcept {
    const bool is_initial = member.in->opener == nullptr;
    member.implicit.tool = {};
    member.implicit.tool.flags = is_initial ? ompt_task_initial : ompt_task_implicit;
    if (!is_initial && member.size == 1)
        member.implicit.tool.flags |= ompt_task_undeferred;
    call<ompt_callback_implicit_task_t>(ompt_callback_implicit_task, ompt_scope_begin, data_of(*member.in),
                                        data_of(member.implicit), member.size, is_initial ? 1 : member.number,
                                        member.implicit.tool.flags);
}
namespace {

void report_team(place& mine, ompt_scope_endpoint_t endpoint, ompt_data_t* league) noexcept {
    const place_in_league& in = mine.in->league;
    call<ompt_callback_implicit_task_t>(ompt_callback_implicit_task, endpoint, league, &mine.in->tool.initial_task,
                                        endpoint == ompt_scope_begin ? in.size : 0, in.number, ompt_task_initial);
}

}  // namespace

namespace {
constexpr int league_flags = ompt_parallel_invoker_runtime | ompt_parallel_league;
}

void league_begins(place& opener, unsigned teams) noexcept {
    task& encountering = *opener.current;
    task_record& its = encountering.tool;
    its.has_league = true;
    its.league = {};
    its.league_called_from = own_thread.called_from;
    call<ompt_callback_parallel_begin_t>(ompt_callback_parallel_begin, data_of(encountering), &its.frame, &its.league,
                                         teams, league_flags, its.league_called_from);
}
void league_ends(place& opener) noexcept {
    task_record& its = opener.current->tool;
    its.has_league = false;
    call<ompt_callback_parallel_end_t>(ompt_callback_parallel_end, &its.league, data_of(*opener.current), league_flags,
                                       its.league_called_from);
}

void team_begins(place& mine) noexcept {
    team& in = *mine.in;
    in.tool = {};
    in.tool.is_in_league = true;
    in.tool.flags = ompt_parallel_invoker_runtime | ompt_parallel_team;
    in.tool.called_from = own_thread.called_from;
    task_record& outer = in.opener->current->tool;
    report_team(mine, ompt_scope_begin, outer.has_league ? &outer.league : nullptr);
    const ompt_frame_t none{};
    call<ompt_callback_parallel_begin_t>(ompt_callback_parallel_begin, &in.tool.initial_task, &none, data_of(in), 1U,
                                         in.tool.flags, in.tool.called_from);
    implicit_task_begins(mine);
}

void implicit_task_ends(place& member) noexcept {
    team& in = *member.in;
    // A cancelled region leaves constructs open.
    while (this_place().current == &member.implicit && member.implicit.tool.open_count != 0)
        work_ends();
    if (in.tool.is_in_league) {
        call<ompt_callback_implicit_task_t>(ompt_callback_implicit_task, ompt_scope_end, nullptr,
                                            data_of(member.implicit), 1U, 0U, ompt_task_implicit);
        call<ompt_callback_parallel_end_t>(ompt_callback_parallel_end, data_of(in), &in.tool.initial_task,
                                           in.tool.flags, in.tool.called_from);
        report_team(member, ompt_scope_end, nullptr);
        return;
    }
    const bool is_initial = member.in->opener == nullptr;
    call<ompt_callback_implicit_task_t>(ompt_callback_implicit_task, ompt_scope_end, nullptr, data_of(member.implicit),
                                        is_initial ? 0 : member.size, is_initial ? 1 : member.number,
                                        member.implicit.tool.flags);
    member.implicit.tool.flags = 0;
}

void task_created(task& made, int flags, bool has_dependences) noexcept {
    task& encountering = *this_place().current;
    // The tasks of a final one are included in it.
    if (encountering.is(task::is_final))
        flags |= ompt_task_undeferred | ompt_task_final;
    flags |= own_thread.next_flags;
    const dependence* const items = own_thread.next_dependences;
    made.tool.flags = flags;
    made.tool.chunk = own_thread.next_chunk;
    own_thread.next_chunk = {};
    own_thread.next_flags = 0;
    own_thread.next_dependences = nullptr;
    call<ompt_callback_task_create_t>(ompt_callback_task_create, data_of(encountering), &encountering.tool.frame,
                                      data_of(made), flags, has_dependences || items != nullptr ? 1 : 0,
                                      own_thread.called_from);
    if (items != nullptr)
        dependences(made, items, own_thread.next_dependence_count);
}
int flags_of(std::uint32_t bits, bool is_undeferred) noexcept {
    return ompt_task_explicit | (is_undeferred || this_place().size == 1 ? ompt_task_undeferred : 0) |
           ((bits & task::is_untied) != 0 ? ompt_task_untied : 0) |
           ((bits & task::is_final) != 0 ? ompt_task_final : 0);
}
void task_has_chunk(task& made, std::uint64_t start, std::uint64_t iterations) noexcept {
    made.tool.chunk = {start, iterations};
}
void next_task_has_chunk(std::uint64_t start, std::uint64_t iterations) noexcept {
    own_thread.next_chunk = {start, iterations};
}
static_assert(undeferred == ompt_task_undeferred && untied == ompt_task_untied);
void next_task_has(int flags) noexcept { own_thread.next_flags = flags; }
void next_task_has(const dependence* items, int count) noexcept {
    own_thread.next_dependences = count != 0 ? items : nullptr;
    own_thread.next_dependence_count = count;
}
void task_begins(task& prior, task& next) noexcept {
    next.tool.below = &prior;
    call<ompt_callback_task_schedule_t>(ompt_callback_task_schedule, data_of(prior),
                                        own_thread.yields ? ompt_task_yield : ompt_task_switch, data_of(next));
    own_thread.yields = false;
    if (next.tool.chunk.iterations != 0)
        report_chunk(next, ompt_dispatch_taskloop_chunk, &next.tool.chunk);
}
void task_ends(task& ended, task_status status, task& next) noexcept {
    if (status == task_status::complete && is_dropped(this_place(), ended.group))
        status = task_status::cancel;
    if (status != task_status::detach)
        tools::forget_accesses(ended.tool);
    call<ompt_callback_task_schedule_t>(ompt_callback_task_schedule, data_of(ended),
                                        static_cast<ompt_task_status_t>(status), data_of(next));
}
bool begins_unless_dropped(task& prior, task& next) noexcept {
    // A member of a cancelled region reports its end before the barrier at the end of the region, which may still call
    // tasks that have data to destroy.
    const bool has_ended = prior.tool.flags == 0;
    if (has_ended)
        task_dropped(next);
    if (has_ended || (is_dropped(this_place(), next.group) && !next.is(task::is_always_called)))
        return false;
    task_begins(prior, next);
    return true;
}
namespace {

// Whether the caller is the first one to decide.
bool decide(completion_event& event, unsigned decision) noexcept {
    unsigned expected = event_record::open;
    // relaxed, both: nothing is read by it.
    return event.tool.decision.compare_exchange_strong(expected, decision, std::memory_order_relaxed,
                                                       std::memory_order_relaxed);
}

}  // namespace

void task_returns(task& left, task& next) noexcept {
    const auto& its = static_cast<deferred_task&>(left);
    left.tool.is_detached = its.event != nullptr && decide(*its.event, event_record::detached);
    task_ends(left, left.tool.is_detached ? task_status::detach : task_status::complete, next);
}
void event_fulfilled(completion_event& fulfilled) noexcept {
    this_place();
    if (!decide(fulfilled, event_record::is_reported))
        return;
    call<ompt_callback_task_schedule_t>(ompt_callback_task_schedule, data_of(fulfilled.of), ompt_task_early_fulfill,
                                        nullptr);
    // release: the callback has used the task's data; partner: the acquire in event_dropped().
    fulfilled.tool.decision.store(event_record::was_early, std::memory_order_release);
}
void event_dropped(completion_event& dropped) noexcept {
    if (decide(dropped, event_record::dropped))
        return;
    // acquire: the task's data, which the caller frees, is no longer used; partner: the release in event_fulfilled().
    while (dropped.tool.decision.load(std::memory_order_acquire) == event_record::is_reported)
        ::sched_yield();
}
void event_ends_task(task& its_task) noexcept {
    if (!its_task.tool.is_detached)
        return;
    tools::forget_accesses(its_task.tool);
    call<ompt_callback_task_schedule_t>(ompt_callback_task_schedule, data_of(its_task), ompt_task_late_fulfill,
                                        nullptr);
}
void task_dropped(task& unused) noexcept {
    // One that was told of its begin will be told of its end.
    if (unused.tool.below != nullptr || unused.tool.is_over)
        return;
    unused.tool.is_over = true;
    tools::forget_accesses(unused.tool);
    call<ompt_callback_cancel_t>(ompt_callback_cancel, data_of(unused),
                                 ompt_cancel_taskgroup | ompt_cancel_discarded_task, nullptr);
}

static_assert(sizeof(dependence) == sizeof(ompt_dependence_t));
void dependences(task_record& its, const dependence* items, int count) noexcept {
    // A clause with an iterator may have none.
    if (count == 0)
        return;
    call<ompt_callback_dependences_t>(ompt_callback_dependences, &its.data,
                                      reinterpret_cast<const ompt_dependence_t*>(items), count);
    tools::report_pairs(its, this_place().current, items, count);
}
void dependences(task& of, const dependence* items, int count) noexcept { dependences(of.tool, items, count); }

void loop_begins(work_kind kind, std::uint64_t count) noexcept {
    begin_work({own_thread.has_sections ? work_kind::sections : kind, count});
    own_thread.has_sections = false;
}
void next_loop_has_sections() noexcept { own_thread.has_sections = true; }
void sections_begin(std::uint64_t count) noexcept { begin_work({work_kind::sections, count}); }
void chunk_begins(std::uint64_t start, std::uint64_t iterations) noexcept {
    task& in = *this_place().current;
    if (in.tool.open_count == 0)
        return;
    const work_kind kind = in.tool.open[in.tool.open_count - 1].kind;
    if (kind == work_kind::sections)
        return report_chunk(in, ompt_dispatch_section, own_thread.called_from);
    const ompt_dispatch_chunk_t chunk{start, iterations};
    report_chunk(in, kind == work_kind::distribute ? ompt_dispatch_distribute_chunk : ompt_dispatch_ws_loop_chunk,
                 &chunk);
}
void single_begins(bool is_executor) noexcept {
    begin_work({is_executor ? work_kind::single_executor : work_kind::single_other, 1});
    if (!is_executor)
        work_ends();
}
void work_ends() noexcept {
    task_record& in = this_place().current->tool;
    if (in.open_count != 0)
        report_work(in.open[--in.open_count], ompt_scope_end);
}

void taskgroup_begins() noexcept {
    call<ompt_callback_sync_region_t>(ompt_callback_sync_region, ompt_sync_region_taskgroup, ompt_scope_begin,
                                      parallel_data(), task_data(), own_thread.called_from);
}
void reduction_begins() noexcept { report_reduction(ompt_scope_begin); }
void reduction_ends() noexcept { report_reduction(ompt_scope_end); }

void masked_begins(call_site from) noexcept {
    call<ompt_callback_masked_t>(ompt_callback_masked, ompt_scope_begin, parallel_data(), task_data(),
                                 address_of(from));
}
void masked_ends(call_site from) noexcept {
    call<ompt_callback_masked_t>(ompt_callback_masked, ompt_scope_end, parallel_data(), task_data(), address_of(from));
}

void mutex_acquire(mutex_kind kind, unsigned hint, const void* object, call_site from) noexcept {
    this_place();
    call<ompt_callback_mutex_acquire_t>(ompt_callback_mutex_acquire, static_cast<ompt_mutex_t>(kind), hint, queuing,
                                        id_of(object), address_of(from));
    own_thread.state = state_in(kind);
    own_thread.wait_id = id_of(object);
}
void mutex_acquired(mutex_kind kind, const void* object, call_site from) noexcept {
    own_thread.state = tools::thread_record::works;
    own_thread.wait_id = 0;
    call<ompt_callback_mutex_t>(ompt_callback_mutex_acquired, static_cast<ompt_mutex_t>(kind), id_of(object),
                                address_of(from));
}
void mutex_missed() noexcept {
    own_thread.state = tools::thread_record::works;
    own_thread.wait_id = 0;
}
void mutex_released(mutex_kind kind, const void* object, call_site from) noexcept {
    call<ompt_callback_mutex_t>(ompt_callback_mutex_released, static_cast<ompt_mutex_t>(kind), id_of(object),
                                address_of(from));
}
void nest_lock_entered(const void* object, call_site from) noexcept {
    call<ompt_callback_nest_lock_t>(ompt_callback_nest_lock, ompt_scope_begin, id_of(object), address_of(from));
}
void nest_lock_left(const void* object, call_site from) noexcept {
    call<ompt_callback_nest_lock_t>(ompt_callback_nest_lock, ompt_scope_end, id_of(object), address_of(from));
}
void lock_made(mutex_kind kind, unsigned hint, const void* object, call_site from) noexcept {
    this_place();
    call<ompt_callback_mutex_acquire_t>(ompt_callback_lock_init, static_cast<ompt_mutex_t>(kind), hint, queuing,
                                        id_of(object), address_of(from));
}
void lock_destroyed(mutex_kind kind, const void* object, call_site from) noexcept {
    call<ompt_callback_mutex_t>(ompt_callback_lock_destroy, static_cast<ompt_mutex_t>(kind), id_of(object),
                                address_of(from));
}

void flushed(call_site from) noexcept {
    this_place();
    call<ompt_callback_flush_t>(ompt_callback_flush, &own_thread.data, address_of(from));
}
void cancelled(int flags) noexcept {
    call<ompt_callback_cancel_t>(ompt_callback_cancel, task_data(), flags, own_thread.called_from);
}
void error(bool is_fatal, const char* message, call_site from) noexcept {
    const char* const text = message != nullptr ? message : "";
    call<ompt_callback_error_t>(ompt_callback_error, is_fatal ? ompt_fatal : ompt_warning, text, std::strlen(text),
                                address_of(from));
}

int control(int command, int modifier, void* argument, call_site from) noexcept {
    constexpr int no_tool = -2, no_callback = -1;
    if (!tools::is_active())
        return no_tool;
    const runtime_call called(from);
    ompt_callback_t registered = nullptr;
    if (tools::get_callback(ompt_callback_control_tool, &registered) == 0)
        return no_callback;
    return reinterpret_cast<ompt_callback_control_tool_t>(registered)(
        static_cast<std::uint64_t>(command), static_cast<std::uint64_t>(modifier), argument, from.return_address);
}

}  // namespace teff::openmp::events

#endif
