// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See callbacks.hpp. The list of threads is for the end of the tool: threads of the pool live as long as the process,
// so the thread that ends the tool reports their end.
#include <teff/frontends/openmp/core/tools/callbacks.hpp>

#if TEFF_OPENMP_CALLS_TOOL

#include <teff/base/assert.hpp>
#include <teff/base/locks.hpp>
#include <teff/base/thread.hpp>
#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>
#include <teff/frontends/openmp/core/tools/dependence_pairs.hpp>

#include <cstdlib>
#include <mutex>
#include <pthread.h>
#include <sched.h>

namespace teff::openmp {
namespace tools {

constinit atomic<ompt_callback_t> callbacks[event_count]{};
thread_local constinit thread_record own_thread;
thread_local constinit thread_record* reported_thread = nullptr;

namespace {

constinit mutex threads_guard;
constinit thread_record* threads = nullptr;  // under the guard
constinit ompt_start_tool_result_t* the_tool = nullptr;
constinit atomic<bool> active{false};
constinit atomic<bool> is_ending{false};

// Events of devices: there are none.
bool is_of_devices(ompt_callbacks_t event) noexcept {
    switch (event) {
    case ompt_callback_target:
    case ompt_callback_target_data_op:
    case ompt_callback_target_submit:
    case ompt_callback_target_map:
    case ompt_callback_target_emi:
    case ompt_callback_target_data_op_emi:
    case ompt_callback_target_submit_emi:
    case ompt_callback_target_map_emi:
    case ompt_callback_device_initialize:
    case ompt_callback_device_finalize:
    case ompt_callback_device_load:
    case ompt_callback_device_unload:
        return true;
    default:
        return false;
    }
}

// The callback finds the data of the thread that ends, also if another thread reports its end.
// The child of a fork() has the calling thread only.
void lock_threads() { threads_guard.lock(); }
void unlock_threads() { threads_guard.unlock(); }
void forget_other_threads() {
    // relaxed, here and below: of the calling thread.
    threads = own_thread.has_begun.load(std::memory_order_relaxed) ? &own_thread : nullptr;
    own_thread.next = nullptr;
    threads_guard.unlock();
    unlock_pairs_in_child();
}

// After its own end, a thread has no events unless it begins again.
void report_end(thread_record& ended) noexcept {
    thread_record* const before = reported_thread;
    reported_thread = &ended;
    call<ompt_callback_thread_end_t>(ompt_callback_thread_end, &ended.data);
    reported_thread = &ended != &own_thread ? before : nullptr;
    // release: see end_own_thread().
    ended.has_begun.store(false, std::memory_order_release);
}

void forget_callbacks() noexcept {
    for (atomic<ompt_callback_t>& each : callbacks)
        // relaxed: calls that run meanwhile may still see the callback.
        each.store(nullptr, std::memory_order_relaxed);
}

void end_own_thread() noexcept {
    bool is_listed = false;
    {
        const std::lock_guard guard(threads_guard);
        thread_record** link = &threads;
        while (*link != nullptr && *link != &own_thread)
            link = &(*link)->next;
        is_listed = *link != nullptr;
        if (is_listed)
            *link = own_thread.next;
    }
    if (is_listed)
        return report_end(own_thread);
    // end_tool() has taken the record, and reports the end. acquire: that was the last use of the record; partner: the
    // release in report_end().
    while (own_thread.has_begun.load(std::memory_order_acquire))
        ::sched_yield();
}

void warn_of_lost_end() noexcept {
    warn("OpenMP: the tool is not told of the program's end, since there is no memory");
}

// exit() ends the tool before the static objects of its library. Those of libraries that were loaded with the program
// come after all functions registered since main() began, so the first thread that uses the runtime registers this one.
void end_with_process() noexcept {
    static const bool is_registered = std::atexit([] { end_tool(); }) == 0;
    if (!is_registered)
        warn_of_lost_end();
}

}  // namespace

ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback) noexcept {
    if (event < ompt_callback_thread_begin || event >= static_cast<int>(event_count))
        return ompt_set_error;
    if (is_of_devices(event))
        return ompt_set_never;
    // release: publishes what the tool wrote before; partner: the acquire in call().
    callbacks[event].store(callback, std::memory_order_release);
    return ompt_set_always;
}

int get_callback(ompt_callbacks_t event, ompt_callback_t* callback) noexcept {
    if (event < ompt_callback_thread_begin || event >= static_cast<int>(event_count))
        return 0;
    // relaxed: the caller only learns which function it is.
    *callback = callbacks[event].load(std::memory_order_relaxed);
    return *callback != nullptr ? 1 : 0;
}

bool begin_tool(ompt_start_tool_result_t& tool) noexcept {
    the_tool = &tool;
    if (::pthread_atfork(&lock_threads, &unlock_threads, &forget_other_threads) != 0)
        return false;
    // relaxed, both: no other thread uses the runtime yet.
    active.store(true, std::memory_order_relaxed);
    constexpr int host = 0;
    own_thread.initializes_tool = true;
    const bool observes = tool.initialize != nullptr && tool.initialize(&look_up, host, &tool.tool_data) != 0;
    own_thread.initializes_tool = false;
    if (observes) {
        // The tool may have used the runtime before it registered its callbacks.
        if (place* const mine = find_place()) {
            events::thread_begins(false);
            events::implicit_task_begins(*mine);
        }
        // For a program that never uses OpenMP. This call comes late at the program's end, but before the end of
        // objects that the tool had when it began.
        if (std::atexit([] { end_tool(); }) != 0)
            warn_of_lost_end();
        return true;
    }
    active.store(false, std::memory_order_relaxed);
    // It may have registered some, and used the runtime.
    forget_callbacks();
    return false;
}

// relaxed: a tool that ends at the same time is the program's race.
bool is_active() noexcept { return active.load(std::memory_order_relaxed); }

void end_tool() noexcept {
    // relaxed: the thread that changes it does the rest alone.
    if (!is_active() || is_ending.exchange(true, std::memory_order_relaxed))
        return;
    if (own_thread.has_begun.load(std::memory_order_relaxed))
        if (place* const mine = find_place(); mine != nullptr && mine->in->opener == nullptr)
            events::implicit_task_ends(*mine);
    for (;;) {
        thread_record* ended = nullptr;
        {
            const std::lock_guard guard(threads_guard);
            ended = threads;
            if (ended != nullptr)
                threads = ended->next;
        }
        if (ended == nullptr)
            break;
        if (ended != &own_thread)
            report_end(*ended);
    }
    if (own_thread.has_begun.load(std::memory_order_relaxed))
        report_end(own_thread);
    // First, since other threads may still run.
    forget_callbacks();
    if (the_tool->finalize != nullptr)
        the_tool->finalize(&the_tool->tool_data);
}

}  // namespace tools

void events::thread_begins(bool is_worker) noexcept {
    using namespace tools;
    // relaxed: a thread that begins at the same time is reported or not.
    if (own_thread.has_begun.load(std::memory_order_relaxed) || own_thread.initializes_tool || !is_active() ||
        is_ending.load(std::memory_order_relaxed) || (is_worker && !call_at_thread_end<tools::end_own_thread>()))
        return;
    end_with_process();
    own_thread.has_begun.store(true, std::memory_order_relaxed);
    own_thread.data = {};
    reported_thread = &own_thread;
    call<ompt_callback_thread_begin_t>(ompt_callback_thread_begin, is_worker ? ompt_thread_worker : ompt_thread_initial,
                                       &own_thread.data);
    // Now that the tool knows the thread, another one may report its end.
    const std::lock_guard guard(threads_guard);
    own_thread.next = threads;
    threads = &own_thread;
}

void events::thread_ends() noexcept { tools::end_own_thread(); }

}  // namespace teff::openmp

#endif
