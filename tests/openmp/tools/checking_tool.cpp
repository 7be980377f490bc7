// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tool that checks the events of any OpenMP program against each other. It ends the process with a line and status 97
// at the first event that does not fit:
//
//   threads     each begins once before all other events on it, and ends once
//   regions     each begin has an end; the implicit tasks of a region have different numbers below its size
//   tasks       each one is created once, and ends once; a thread only leaves the task that it runs
//   dependences one report for each task that has some, with its creation
//   events      a task whose event is fulfilled has ended early or late, not both
//   waits, constructs and locks      begin and end in the order of brackets; a lock has one holder
//
// CHECKING_TOOL_COUNTS is a file that gets a row for each kind of event: its number, or that of `counted`, and how many
// there were.
//
// It is built without OpenMP and without Teff, as tools are.
#include <omp-tools.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <pthread.h>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

std::recursive_mutex guard;

[[noreturn, gnu::format(printf, 1, 2)]] void complain(const char* format, ...) {
    char line[256];
    std::va_list arguments;
    va_start(arguments, format);
    const int size = std::vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    std::fprintf(stderr, "checking tool: %.*s\n", size, line);
    std::fflush(nullptr);
    _exit(97);
}

// Beside the numbers of events.
enum counted {
    leagues = 1001,
    regions_without_address,
    untied_tasks,
    undeferred_tasks,
    dependent_tasks,
    fulfilled_early,
    fulfilled_late,
    taskloop_chunks,
    sections_begun,
    barriers_of_constructs
};

struct region {
    bool is_league = false;
    std::set<unsigned> members;
};
struct thread {
    bool has_begun = false;
    std::vector<ompt_data_t*> tasks;  // implicit ones open regions, explicit ones lie on top
    std::vector<int> waits;
    std::vector<int> constructs;
    int acquires = 0;
    std::map<ompt_wait_id_t, int> held;
};

// All under the guard.
std::map<ompt_data_t*, region> regions;
std::set<ompt_data_t*> unfinished_tasks;
std::set<ompt_data_t*> awaiting_dependences;
std::set<ompt_data_t*> early_tasks;
std::map<int, unsigned long> counts;
ompt_get_thread_data_t get_thread_data = nullptr;

thread& own(const char* event) {
    ompt_data_t* const data = get_thread_data();
    if (data == nullptr || data->ptr == nullptr)
        complain("%s on a thread that has not begun", event);
    return *static_cast<thread*>(data->ptr);
}

void on_thread_begin(ompt_thread_t, ompt_data_t* data) {
    const std::lock_guard locked(guard);
    if (data->ptr != nullptr)
        complain("a thread begins again");
    if (data != get_thread_data())
        complain("a thread begins that does not run the callback");
    data->ptr = new thread;
    static_cast<thread*>(data->ptr)->has_begun = true;
    ++counts[ompt_callback_thread_begin];
}
void on_thread_end(ompt_data_t* data) {
    const std::lock_guard locked(guard);
    auto* const ended = static_cast<thread*>(data->ptr);
    if (ended == nullptr || !ended->has_begun)
        complain("a thread ends that has not begun");
    ended->has_begun = false;
    ++counts[ompt_callback_thread_end];
}

void on_parallel_begin(ompt_data_t*, const ompt_frame_t*, ompt_data_t* data, unsigned requested, int flags,
                       const void* address) {
    const std::lock_guard locked(guard);
    own("parallel_begin");
    if (address == nullptr)
        ++counts[regions_without_address];
    if ((flags & ompt_parallel_league) != 0)
        ++counts[leagues];
    if (data->ptr != nullptr)
        complain("a region begins whose data is not zero");
    if (requested == 0)
        complain("a region of no threads");
    data->ptr = data;
    if (!regions.emplace(data, region{(flags & ompt_parallel_league) != 0, {}}).second)
        complain("a region begins again");
    ++counts[ompt_callback_parallel_begin];
}
void on_parallel_end(ompt_data_t* data, ompt_data_t*, int, const void*) {
    const std::lock_guard locked(guard);
    own("parallel_end");
    const auto found = regions.find(data);
    if (found == regions.end())
        complain("a region ends that has not begun");
    if (!found->second.members.empty())
        complain("a region ends before %zu of its implicit tasks", found->second.members.size());
    regions.erase(found);
    data->ptr = nullptr;
}

void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task, unsigned size,
                      unsigned number, int flags) {
    const std::lock_guard locked(guard);
    thread& mine = own("implicit_task");
    const bool is_initial = (flags & ompt_task_initial) != 0;
    if (endpoint == ompt_scope_begin) {
        if (task->ptr != nullptr)
            complain("an implicit task begins whose data is not zero");
        task->ptr = parallel;
        mine.tasks.push_back(task);
        if (is_initial)
            return;
        const auto found = regions.find(parallel);
        if (found == regions.end())
            complain("an implicit task begins outside of a region");
        if (number >= size)
            complain("implicit task %u of %u", number, size);
        if (!found->second.members.insert(number).second)
            complain("implicit task %u begins again", number);
        ++counts[ompt_callback_implicit_task];
        return;
    }
    if (mine.tasks.empty() || mine.tasks.back() != task)
        complain("an implicit task ends that the thread does not run");
    mine.tasks.pop_back();
    if (is_initial)
        return;
    const auto found = regions.find(static_cast<ompt_data_t*>(task->ptr));
    if (found == regions.end() || found->second.members.erase(number) == 0)
        complain("implicit task %u ends outside of its region", number);
}

void on_task_create(ompt_data_t* encountering, const ompt_frame_t*, ompt_data_t* made, int flags, int has_dependences,
                    const void*) {
    const std::lock_guard locked(guard);
    thread& mine = own("task_create");
    if (mine.tasks.empty() || mine.tasks.back() != encountering)
        complain("a task is created by one that the thread does not run");
    if (made->ptr != nullptr)
        complain("a task is created whose data is not zero");
    made->ptr = made;
    if ((flags & ompt_task_taskwait) == 0 && !unfinished_tasks.insert(made).second)
        complain("a task is created again");
    if (has_dependences != 0) {
        awaiting_dependences.insert(made);
        ++counts[dependent_tasks];
    }
    if ((flags & ompt_task_untied) != 0)
        ++counts[untied_tasks];
    if ((flags & ompt_task_undeferred) != 0)
        ++counts[undeferred_tasks];
    ++counts[ompt_callback_task_create];
}
void on_dependences(ompt_data_t* task, const ompt_dependence_t* items, int count) {
    const std::lock_guard locked(guard);
    if (count < 1)
        complain("no dependences are reported");
    ++counts[ompt_callback_dependences];
    const bool is_doacross = items[0].dependence_type == ompt_dependence_type_source ||
                             items[0].dependence_type == ompt_dependence_type_sink;
    if (is_doacross)
        return;
    if (awaiting_dependences.erase(task) == 0)
        complain("dependences of a task that has none, or again");
}
void on_task_dependence(ompt_data_t* before, ompt_data_t* after) {
    const std::lock_guard locked(guard);
    if (before == after)
        complain("a task waits for itself");
    if (unfinished_tasks.count(before) == 0)
        complain("a task waits for one that has ended");
    ++counts[ompt_callback_task_dependence];
}
void on_dispatch(ompt_data_t*, ompt_data_t*, ompt_dispatch_t kind, ompt_data_t instance) {
    const std::lock_guard locked(guard);
    if (kind == ompt_dispatch_section) {
        ++counts[sections_begun];
        return;
    }
    if (static_cast<const ompt_dispatch_chunk_t*>(instance.ptr)->iterations == 0)
        complain("a chunk has no iterations");
    ++counts[kind == ompt_dispatch_taskloop_chunk ? static_cast<int>(taskloop_chunks)
                                                  : static_cast<int>(ompt_callback_dispatch)];
}
void finish(ompt_data_t* ended) {
    if (awaiting_dependences.erase(ended) != 0)
        complain("a task ends whose dependences were not reported");
    early_tasks.erase(ended);
    if (unfinished_tasks.erase(ended) == 0)
        complain("a task ends that is not unfinished");
    ended->ptr = nullptr;
}
void on_task_schedule(ompt_data_t* prior, ompt_task_status_t status, ompt_data_t* next) {
    const std::lock_guard locked(guard);
    if (status == ompt_taskwait_complete)
        return;
    if (status == ompt_task_early_fulfill) {
        if (!early_tasks.insert(prior).second)
            complain("an event is fulfilled again");
        ++counts[fulfilled_early];
        return;
    }
    if (early_tasks.count(prior) != 0 && (status == ompt_task_late_fulfill || status == ompt_task_detach))
        complain("a task goes on after its event was fulfilled early (status %d)", status);
    if (status == ompt_task_late_fulfill) {
        ++counts[fulfilled_late];
        return finish(prior);
    }
    thread& mine = own("task_schedule");
    if (mine.tasks.empty() || mine.tasks.back() != prior)
        complain("a thread leaves a task that it does not run (status %d)", status);
    if (status == ompt_task_switch || status == ompt_task_yield) {
        if (unfinished_tasks.count(next) == 0)
            complain("a thread begins a task that was not created");
        mine.tasks.push_back(next);
        ++counts[ompt_callback_task_schedule];
        return;
    }
    mine.tasks.pop_back();
    if (mine.tasks.empty() || mine.tasks.back() != next)
        complain("a thread comes back to another task than it has left");
    if (status != ompt_task_detach)
        finish(prior);
}
void on_cancel(ompt_data_t* task, int flags, const void*) {
    const std::lock_guard locked(guard);
    if ((flags & ompt_cancel_discarded_task) != 0)
        finish(task);
}

// What begins last ends first.
void begin_or_end(std::vector<int>& open, int kind, ompt_scope_endpoint_t endpoint, const char* what) {
    if (endpoint == ompt_scope_begin) {
        open.push_back(kind);
        return;
    }
    if (open.empty() || open.back() != kind)
        complain("%s %d ends that has not begun last", what, kind);
    open.pop_back();
}
void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*, const void*) {
    const std::lock_guard locked(guard);
    begin_or_end(own("sync_region").waits, kind, endpoint, "wait");
    if (kind == ompt_sync_region_barrier_implicit_workshare && endpoint == ompt_scope_begin)
        ++counts[barriers_of_constructs];
    ++counts[ompt_callback_sync_region];
}
void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*, uint64_t, const void*) {
    const std::lock_guard locked(guard);
    begin_or_end(own("work").constructs, kind, endpoint, "construct");
    ++counts[ompt_callback_work];
}

void on_mutex_acquire(ompt_mutex_t, unsigned, unsigned, ompt_wait_id_t, const void*) {
    const std::lock_guard locked(guard);
    ++own("mutex_acquire").acquires;
}
void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void*) {
    const std::lock_guard locked(guard);
    if (own("mutex_acquired").acquires == 0)
        complain("lock kind %d is acquired without a request", kind);
    // Another thread may acquire the lock before this one reports that it has released it.
    ++own("mutex_acquired").held[id];
    ++counts[ompt_callback_mutex_acquired];
}
void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t id, const void*) {
    const std::lock_guard locked(guard);
    // A task may release a lock on another thread than the one that has acquired it, if it is untied; no test does.
    if (own("mutex_released").held[id]-- < 1)
        complain("lock kind %d is released that the thread does not hold", kind);
}

// The child of a fork() has the calling thread only, with another number, so that it cannot unlock the guard.
void lock_guard() { guard.lock(); }
void unlock_guard() { guard.unlock(); }
void renew_guard() { ::new (static_cast<void*>(&guard)) std::recursive_mutex; }

int initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
    const auto set_callback = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
    get_thread_data = reinterpret_cast<ompt_get_thread_data_t>(lookup("ompt_get_thread_data"));
    const auto add = [&](ompt_callbacks_t event, auto* function) {
        if (set_callback(event, reinterpret_cast<ompt_callback_t>(function)) != ompt_set_always)
            complain("event %d cannot be observed", event);
    };
    if (pthread_atfork(&lock_guard, &unlock_guard, &renew_guard) != 0)
        complain("fork() cannot be observed");
    add(ompt_callback_thread_begin, &on_thread_begin);
    add(ompt_callback_thread_end, &on_thread_end);
    add(ompt_callback_parallel_begin, &on_parallel_begin);
    add(ompt_callback_parallel_end, &on_parallel_end);
    add(ompt_callback_implicit_task, &on_implicit_task);
    add(ompt_callback_task_create, &on_task_create);
    add(ompt_callback_task_schedule, &on_task_schedule);
    add(ompt_callback_cancel, &on_cancel);
    add(ompt_callback_dependences, &on_dependences);
    add(ompt_callback_task_dependence, &on_task_dependence);
    add(ompt_callback_dispatch, &on_dispatch);
    add(ompt_callback_sync_region, &on_sync_region);
    add(ompt_callback_work, &on_work);
    add(ompt_callback_mutex_acquire, &on_mutex_acquire);
    add(ompt_callback_mutex_acquired, &on_mutex_acquired);
    add(ompt_callback_mutex_released, &on_mutex_released);
    return 1;
}

// A program that exits inside of a region leaves it open.
void finalize(ompt_data_t*) {
    const std::lock_guard locked(guard);
    if (const char* const path = std::getenv("CHECKING_TOOL_COUNTS")) {
        std::FILE* const out = std::fopen(path, "a");
        if (out == nullptr)
            complain("%s cannot be written", path);
        for (const auto& [event, count] : counts)
            std::fprintf(out, "%d %lu\n", event, count);
        std::fclose(out);
    }
}

}  // namespace

extern "C" ompt_start_tool_result_t* ompt_start_tool(unsigned, const char*) {
    static ompt_start_tool_result_t tool{&initialize, &finalize, {}};
    return &tool;
}
