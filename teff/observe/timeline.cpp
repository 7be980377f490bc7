// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the trace's records of all threads; see timeline.hpp.
#include <teff/observe/timeline.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/thread.hpp>
#include <teff/label.hpp>
#include <teff/observe/record_file.hpp>
#include <teff/observe/timeline_record.hpp>
#include <teff/options/options.hpp>
#include <teff/strand/worker.hpp>

#include <cerrno>
#include <cstdlib>
#include <string_view>

namespace teff {
namespace {

constinit atomic<bool> trace_has_begun{false};
constinit bool trace_is_on = false;
constinit bool trace_has_events = false;
constinit record_file trace_file("TEFF_TRACE", "trace");  // its name is constant after begin_timeline()
constinit std::int64_t trace_begun = 0;                   // in cycles; constant, too
constinit event_budget trace_budget;
// The number of the present record, for threads that add an event. Written under the records' mutex.
constinit atomic<unsigned> present_record{1};

constinit timeline_records trace_records;
constinit bool trace_is_written = false;                  // under the records' mutex, as is the file

// The record of a thread, or the fact that it has none for lack of memory.
struct own_record {
    thread_record* made = nullptr;
    bool is_left_out = false;
};

thread_record* make_record() noexcept {
    const scoped_lock lock(trace_records.guard);
    const bool has_room = trace_records.count < max_threads;
    thread_record* const made =
        has_room ? create<thread_record>(this_thread().worker, ns_between(trace_begun, cycle_count())) : nullptr;
    if (made == nullptr) {
        ++trace_records.left_out;
        return nullptr;
    }
    ++trace_records.count;
    made->next = trace_records.newest;
    trace_records.newest = made;
    return made;
}

// The calling thread's record; nullptr: it has none. For functions that are called from other objects.
inline thread_record* own_trace() noexcept {
    own_record& mine = per_thread<own_record>();
    if (mine.made == nullptr && !mine.is_left_out) {
        mine.made = make_record();
        mine.is_left_out = mine.made == nullptr;
    }
    return mine.made;
}

void add_event(thread_record& to, const traced_event& made) noexcept {
    // relaxed: near a restart the event may get the old number or the new one; an event that ended before the restart
    // is not written.
    to.events.add(made, trace_budget, present_record.load(std::memory_order_relaxed));
}

// As cycle_count(), without a call: a slice reads the counter twice, which is most of what it costs.
inline std::int64_t cycles_now() noexcept {
#if defined(__x86_64__)
    return static_cast<std::int64_t>(__builtin_ia32_rdtsc());
#else
    return cycle_count();
#endif
}

bool is_shown(activity what) noexcept { return what != activity::outside && what != activity::work; }

void write_if_due() noexcept {
    bool is_due = false;
    {
        const scoped_lock lock(trace_records.guard);
        is_due = trace_is_on && !trace_is_written;
    }
    if (is_due)
        write_timeline();
}

void begin_if_asked() noexcept {
    const configuration& options = process_configuration();
    const std::string_view name = options.text("trace");
    if (name == row("trace").usual.text || !trace_file.begin(name))
        return;
    trace_begun = trace_records.start_cycles = cycle_count();
    // Measures the clock's rate now, since this takes some time.
    [[maybe_unused]] const std::int64_t measured = ns_of_cycles(1);
    const long events = options.integer("trace_events");
    trace_budget.fill(events);
    if (events != 0)
        trace_budget.reserve(event_log::memory_for(events));
    trace_is_on = std::atexit([] { write_if_due(); }) == 0;
    trace_has_events = trace_is_on && events != 0;
    if (trace_is_on && options.text("trace_on_interrupt") == "on")
        act_before_interrupts([] { write_if_due(); });
}

}  // namespace

void begin_timeline() noexcept {
    begin_if_asked();
    // release: publishes whether the trace is on, which does not change any more; partner: the acquire in
    // begin_label().
    trace_has_begun.store(true, std::memory_order_release);
}

void hold_timeline() noexcept { trace_records.guard.lock(); }
void release_timeline() noexcept { trace_records.guard.unlock(); }
void end_timeline_in_child() noexcept {
    if (trace_is_on)
        leave_interrupts();
    trace_is_on = trace_has_events = false;
    trace_records.guard.reset_after_fork();
}

bool timeline_is_on() noexcept { return trace_is_on; }
bool events_are_on() noexcept { return trace_has_events; }

[[gnu::noinline]] activity begin_activity(activity what) noexcept {
    thread_record* const mine = trace_is_on ? own_trace() : nullptr;
    if (mine == nullptr)
        return activity::outside;
    activity before = activity::outside;
    traced_event ended{0, 0, nullptr, slice_kind::activity};
    {
        // The clock is read under the mutex, so that no restart_timeline() comes between this and begin().
        const scoped_lock lock(mine->guard);
        ended.end = cycle_count();
        before = mine->done.now();
        mine->done.begin(ns_between(trace_begun, ended.end), what);
        ended.begin = mine->activity_begin;
        if (before != what)
            mine->activity_begin = ended.end;
    }
    ended.detail = static_cast<unsigned char>(before);
    if (trace_has_events && before != what && is_shown(before))
        add_event(*mine, ended);
    return before;
}

void note_search(std::uint64_t tried, bool found) noexcept {
    thread_record* const mine = trace_is_on ? own_trace() : nullptr;
    if (mine == nullptr)
        return;
    // relaxed, all: statistics; only this thread writes them.
    mine->steals_tried.store(mine->steals_tried.load(std::memory_order_relaxed) + tried, std::memory_order_relaxed);
    if (!found)
        return;
    mine->steals.store(mine->steals.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (trace_has_events) {
        const std::int64_t now = cycle_count();
        add_event(*mine, {now, now, nullptr, slice_kind::steal});
    }
}

slice_mark begin_slice(slice_kind kind, const void* what) noexcept {
    thread_record* const mine = trace_has_events ? own_trace() : nullptr;
    if (mine == nullptr)
        return {};
    return {mine, mine->events.push(kind, what, cycles_now())};
}

void end_slice(slice_mark opened) noexcept {
    // In the child of a fork() nothing is recorded any more.
    if (opened.record == nullptr || !trace_has_events)
        return;
    event_log& events = opened.record->events;
    traced_event ended = events.opened(opened.depth);
    ended.end = cycles_now();
    if (ended.begin == 0) [[unlikely]]
        events.count_dropped();
    else
        add_event(*opened.record, ended);
    events.pop(opened.depth);
}

slice_mark own_slice() noexcept { return {trace_has_events ? own_trace() : nullptr, 0}; }

void restart_timeline() noexcept {
    if (!trace_is_on)
        return;
    const scoped_lock lock(trace_records.guard);
    trace_records.start_cycles = cycle_count();
    trace_is_written = false;
    trace_budget.fill(process_configuration().integer("trace_events"));
    // relaxed: see add_event().
    present_record.store(++trace_records.number, std::memory_order_relaxed);
    for (thread_record* each = trace_records.newest; each != nullptr; each = each->next) {
        const scoped_lock lock_record(each->guard);
        each->done.restart(ns_between(trace_begun, trace_records.start_cycles));
        // relaxed, both: statistics.
        each->steals_tried.store(0, std::memory_order_relaxed);
        each->steals.store(0, std::memory_order_relaxed);
    }
}

bool write_timeline() noexcept {
    if (!trace_is_on)
        return false;
    const scoped_lock lock(trace_records.guard);
    trace_is_written = true;
    return trace_file.write([](std::FILE* to) noexcept {
        return write_trace(to, trace_records, trace_begun) ? 0 : errno;
    });
}

namespace tracing {

void begin_label(open_label& made, const char* text) noexcept {
    // A label may be the first use of the library.
    // acquire: sees whether the trace is on; partner: the release in begin_timeline(), or that of the pool's beginning.
    if (!trace_has_begun.load(std::memory_order_acquire)) [[unlikely]]
        ensure_timeline_has_begun();
    thread_record* const mine = trace_has_events ? own_trace() : nullptr;
    if (mine == nullptr)
        return;
    made.thread = mine;
    made.begin = cycle_count();
    made.text = text;
    made.depth = mine->events.push(slice_kind::label, text, made.begin);
}

void end_label(const open_label& begun_label) noexcept {
    thread_record* const mine = trace_has_events ? own_trace() : nullptr;
    if (mine == nullptr)
        return;
    traced_event ended{begun_label.begin, cycle_count(), begun_label.text, slice_kind::moving_label};
    // If the label is not open, its fiber was left since, and the worker has closed the slices that were open there.
    const bool is_open = begun_label.thread == mine && mine->events.is_open(begun_label.depth, begun_label.begin);
    if (is_open)
        ended.kind = slice_kind::label;
    add_event(*mine, ended);
    if (is_open)
        mine->events.pop(begun_label.depth);
}

}  // namespace tracing
}  // namespace teff
