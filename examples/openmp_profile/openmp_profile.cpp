// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A profile by construct of any OpenMP program, as a tool in the sense of OpenMP 5.1, chapter 4 (OMPT):
//
//   OMP_TOOL_LIBRARIES=./libopenmp_profile.so program
//
// At the end of the program it prints, for each place in the program that calls the runtime, how often it did so, and
// the time that its threads spent there: in parallel regions, in tasks, and waiting.
#include <teff/openmp/omp-tools.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace {

using nanoseconds = std::int64_t;

nanoseconds now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

struct row {
    std::uint64_t count = 0;
    nanoseconds total = 0;
    nanoseconds longest = 0;

    void add(nanoseconds time) {
        ++count;
        total += time;
        longest = std::max(longest, time);
    }
    void add(const row& other) {
        count += other.count;
        total += other.total;
        longest = std::max(longest, other.longest);
    }
};
struct construct {
    const char* name;
    const void* place;  // in the program

    bool operator<(const construct& other) const {
        const int order = std::strcmp(name, other.name);
        return order != 0 ? order < 0 : std::less<>()(place, other.place);
    }
};
using profile = std::map<construct, row>;

// Each thread counts for itself; its rows are added to the whole when it ends.
std::mutex guard;
profile whole;
struct thread_state {
    profile rows;
    std::vector<nanoseconds> begins;  // of the waits, constructs and implicit tasks that the thread is in
};
thread_local thread_state* own = nullptr;  // from the thread's begin to its end

// A task's or a region's word points to one of these.
struct origin {
    const void* place;
    nanoseconds begin;
};

void begin() { own->begins.push_back(now()); }
void end(const char* name, const void* place) {
    if (own->begins.empty())
        return;
    own->rows[{name, place}].add(now() - own->begins.back());
    own->begins.pop_back();
}

void on_parallel_begin(ompt_data_t*, const ompt_frame_t*, ompt_data_t* region, unsigned, int, const void* place) {
    region->ptr = new origin{place, now()};
}
void on_parallel_end(ompt_data_t* region, ompt_data_t*, int, const void*) {
    auto* const begun = static_cast<origin*>(region->ptr);
    own->rows[{"parallel", begun->place}].add(now() - begun->begin);
    delete begun;
}
void on_task_create(ompt_data_t*, const ompt_frame_t*, ompt_data_t* task, int, int, const void* place) {
    task->ptr = new origin{place, 0};
}
void on_task_schedule(ompt_data_t* prior, ompt_task_status_t status, ompt_data_t* next) {
    // A task is left for another one, and comes back when that one ends: only explicit tasks have an origin.
    auto* const left = static_cast<origin*>(prior->ptr);
    if ((status == ompt_task_complete || status == ompt_task_cancel || status == ompt_task_detach) && left != nullptr) {
        own->rows[{"task", left->place}].add(now() - left->begin);
        delete left;
        prior->ptr = nullptr;
    } else if ((status == ompt_task_switch || status == ompt_task_yield) && next != nullptr && next->ptr != nullptr) {
        static_cast<origin*>(next->ptr)->begin = now();
    }
}

const char* name_of(ompt_sync_region_t kind) {
    switch (kind) {
    case ompt_sync_region_taskwait:
        return "wait: taskwait";
    case ompt_sync_region_taskgroup:
        return "wait: taskgroup";
    case ompt_sync_region_barrier_implicit_parallel:
        return "wait: end of a region";
    case ompt_sync_region_barrier_implicit_workshare:
        return "wait: end of a loop";
    default:
        return "wait: barrier";
    }
}
void on_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*, const void* place) {
    if (endpoint == ompt_scope_begin)
        begin();
    else
        end(name_of(kind), place);
}

const char* name_of(ompt_work_t kind) {
    switch (kind) {
    case ompt_work_sections:
        return "sections";
    case ompt_work_single_executor:
        return "single";
    case ompt_work_single_other:
        return "single of another thread";
    case ompt_work_taskloop:
        return "taskloop";
    case ompt_work_distribute:
        return "distribute";
    default:
        return "for";
    }
}
void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*, std::uint64_t,
             const void* place) {
    if (endpoint == ompt_scope_begin)
        begin();
    else
        end(name_of(kind), place);
}

void on_mutex_acquire(ompt_mutex_t, unsigned, unsigned, ompt_wait_id_t, const void*) { begin(); }
void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t, const void* place) {
    end(kind == ompt_mutex_critical  ? "wait: critical"
        : kind == ompt_mutex_ordered ? "wait: ordered"
                                     : "wait: lock",
        place);
}

void on_thread_begin(ompt_thread_t, ompt_data_t* thread) { thread->ptr = own = new thread_state; }
// The thread that ends the program reports the end of those that still exist.
void on_thread_end(ompt_data_t* thread) {
    auto* const ended = static_cast<thread_state*>(thread->ptr);
    const std::lock_guard locked(guard);
    for (const auto& [key, value] : ended->rows)
        whole[key].add(value);
    ended->rows.clear();
}

// The function and the offset in it, or the file: `addr2line -e FILE OFFSET` names the line.
std::string text_of(const void* place) {
    Dl_info found{};
    char text[256];
    if (place == nullptr || dladdr(place, &found) == 0)
        return "the runtime";
    const char* const slash = std::strrchr(found.dli_fname, '/');
    const char* const file = slash != nullptr ? slash + 1 : found.dli_fname;
    const char* const base = static_cast<const char*>(found.dli_sname != nullptr ? found.dli_saddr : found.dli_fbase);
    std::snprintf(text, sizeof text, "%s+0x%zx", found.dli_sname != nullptr ? found.dli_sname : file,
                  static_cast<std::size_t>(static_cast<const char*>(place) - base));
    return text;
}

void finalize(ompt_data_t*) {
    std::vector<std::pair<construct, row>> rows(whole.begin(), whole.end());
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.second.total > b.second.total; });
    std::fprintf(stderr, "%-26s %10s %12s %12s  %s\n", "construct", "count", "total ms", "longest ms", "called from");
    for (const auto& [key, value] : rows)
        std::fprintf(stderr, "%-26s %10llu %12.3f %12.3f  %s\n", key.name, static_cast<unsigned long long>(value.count),
                     static_cast<double>(value.total) / 1e6, static_cast<double>(value.longest) / 1e6,
                     text_of(key.place).c_str());
}

int initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
    const auto set_callback = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
    const auto add = [&](ompt_callbacks_t event, auto* function) {
        set_callback(event, reinterpret_cast<ompt_callback_t>(function));
    };
    add(ompt_callback_thread_begin, &on_thread_begin);
    add(ompt_callback_thread_end, &on_thread_end);
    add(ompt_callback_parallel_begin, &on_parallel_begin);
    add(ompt_callback_parallel_end, &on_parallel_end);
    add(ompt_callback_task_create, &on_task_create);
    add(ompt_callback_task_schedule, &on_task_schedule);
    add(ompt_callback_sync_region_wait, &on_wait);
    add(ompt_callback_work, &on_work);
    add(ompt_callback_mutex_acquire, &on_mutex_acquire);
    add(ompt_callback_mutex_acquired, &on_mutex_acquired);
    return 1;
}

}  // namespace

extern "C" ompt_start_tool_result_t* ompt_start_tool(unsigned, const char*) {
    static ompt_start_tool_result_t tool{&initialize, &finalize, {}};
    return &tool;
}
