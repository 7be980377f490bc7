// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The routines that a tool looks up (OpenMP 5.1, section 4.6). All may be called on any thread, also inside of a
// callback; those that describe the calling thread say "unknown" on a thread that does not use OpenMP.
#include <teff/frontends/openmp/core/tools/callbacks.hpp>

#if TEFF_OPENMP_CALLS_TOOL

#include <teff/frontends/openmp/core/affinity/cpu_places.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>

#include <algorithm>
#include <cstring>
#include <sched.h>
#include <span>

namespace teff::openmp::tools {
namespace {

struct named_number {
    int number;
    const char* name;
};
#define TEFF_NAMED(number) {number, #number}
constexpr named_number states[] = {
    TEFF_NAMED(ompt_state_undefined),
    TEFF_NAMED(ompt_state_work_serial),
    TEFF_NAMED(ompt_state_work_parallel),
    TEFF_NAMED(ompt_state_work_reduction),
    TEFF_NAMED(ompt_state_wait_barrier_implicit_parallel),
    TEFF_NAMED(ompt_state_wait_barrier_implicit_workshare),
    TEFF_NAMED(ompt_state_wait_barrier_explicit),
    TEFF_NAMED(ompt_state_wait_barrier_implementation),
    TEFF_NAMED(ompt_state_wait_barrier_teams),
    TEFF_NAMED(ompt_state_wait_taskwait),
    TEFF_NAMED(ompt_state_wait_taskgroup),
    TEFF_NAMED(ompt_state_wait_lock),
    TEFF_NAMED(ompt_state_wait_critical),
    TEFF_NAMED(ompt_state_wait_atomic),
    TEFF_NAMED(ompt_state_wait_ordered),
};
constexpr named_number mutex_kinds[] = {{0, "none"}, {1, "spinning"}, {2, "queuing"}};

// Where the list begins `current` is its first number, and where it ends the result is 0.
int next_of(std::span<const named_number> all, int current, int* next, const char** name) noexcept {
    for (std::size_t each = 0; each + 1 < all.size(); ++each) {
        if (all[each].number != current)
            continue;
        *next = all[each + 1].number;
        *name = all[each + 1].name;
        return 1;
    }
    return 0;
}

template <class Value>
void put(Value* to, Value value) noexcept {
    if (to != nullptr)
        *to = value;
}

// nullptr: the calling thread does not use OpenMP, or the tool has said that it does not observe the program.
place* reported_place() noexcept { return is_active() ? find_place() : nullptr; }

extern "C" {

int enumerate_states(int current, int* next, const char** name) { return next_of(states, current, next, name); }
int enumerate_mutex_impls(int current, int* next, const char** name) {
    return next_of(mutex_kinds, current, next, name);
}

ompt_data_t* get_thread_data() { return is_active() && reported_thread != nullptr ? &reported_thread->data : nullptr; }

int get_state(ompt_wait_id_t* wait_id) {
    const place* const mine = reported_place();
    if (mine == nullptr)
        return ompt_state_work_serial;
    put(wait_id, own_thread.wait_id);
    if (own_thread.state != thread_record::works)
        return own_thread.state;
    return mine->in->level == 0 ? ompt_state_work_serial : ompt_state_work_parallel;
}

// The results: 0: there is no such level; 1: there is one, but nothing is known of it; 2: done.
constexpr int is_known = 2;

int get_parallel_info(int level, ompt_data_t** data, int* size) {
    const place* at = reported_place();
    for (; at != nullptr && level > 0; --level)
        at = at->in->opener;
    if (at == nullptr || level < 0)
        return 0;
    put(data, &at->in->tool.data);
    put(size, static_cast<int>(at->size));
    return is_known;
}

// The tasks around the running one: those that the thread has left for others, then that which opened the region.
int get_task_info(int level, int* flags, ompt_data_t** data, ompt_frame_t** frame, ompt_data_t** parallel,
                  int* thread_number) {
    place* at = reported_place();
    task* found = at != nullptr ? at->current : nullptr;
    for (; found != nullptr && level > 0; --level) {
        if (found != &at->implicit) {
            found = found->tool.below;
            continue;
        }
        at = at->in->opener;
        found = at != nullptr ? at->current : nullptr;
    }
    if (found == nullptr || level < 0)
        return 0;
    put(flags, found->tool.flags);
    put(data, &found->tool.data);
    put(frame, &found->tool.frame);
    put(parallel, &at->in->tool.data);
    put(thread_number, static_cast<int>(at->number));
    return is_known;
}

// Where a task's data lies is not told: the result 0 says so.
int get_task_memory(void** address, std::size_t* size, int) {
    put<void*>(address, nullptr);
    put<std::size_t>(size, 0);
    return 0;
}

std::uint64_t get_unique_id() {
    static atomic<std::uint64_t> next{1};
    // relaxed: only the number matters.
    return next.fetch_add(1, std::memory_order_relaxed);
}

int get_num_procs() { return static_cast<int>(process().processors); }
int get_num_places() {
    process();
    return static_cast<int>(cpu_places().size());
}
int get_place_num() {
    const place* const mine = reported_place();
    return mine != nullptr ? mine->cpus.place : -1;
}
// Both write at most `size` numbers, and return how many there are.
int get_place_proc_ids(int number, int size, int* ids) {
    process();
    const place_lists& all = cpu_places();
    if (number < 0 || static_cast<std::size_t>(number) >= all.size())
        return 0;
    const std::span<const int> found = all[static_cast<std::size_t>(number)];
    std::copy_n(found.begin(), std::clamp<std::size_t>(size > 0 ? static_cast<std::size_t>(size) : 0, 0, found.size()),
                ids);
    return static_cast<int>(found.size());
}
int get_partition_place_nums(int size, int* numbers) {
    const place* const mine = reported_place();
    if (mine == nullptr)
        return 0;
    const place_range& partition = mine->cpus.partition;
    for (int each = 0; each < std::min(size, partition.count); ++each)
        numbers[each] = partition.first + each;
    return partition.count;
}
int get_proc_id() { return reported_place() != nullptr ? ::sched_getcpu() : -1; }

int get_num_devices() { return 0; }
int get_target_info(std::uint64_t*, ompt_id_t*, ompt_id_t*) { return 0; }
}

struct routine {
    const char* name;
    ompt_interface_fn_t function;
};
template <class Function>
ompt_interface_fn_t any(Function* function) noexcept {
    return reinterpret_cast<ompt_interface_fn_t>(function);
}
const routine routines[] = {
    {"ompt_enumerate_states", any(&enumerate_states)},
    {"ompt_enumerate_mutex_impls", any(&enumerate_mutex_impls)},
    {"ompt_set_callback", any(&set_callback)},
    {"ompt_get_callback", any(&get_callback)},
    {"ompt_get_thread_data", any(&get_thread_data)},
    {"ompt_get_state", any(&get_state)},
    {"ompt_get_parallel_info", any(&get_parallel_info)},
    {"ompt_get_task_info", any(&get_task_info)},
    {"ompt_get_task_memory", any(&get_task_memory)},
    {"ompt_get_unique_id", any(&get_unique_id)},
    {"ompt_get_num_procs", any(&get_num_procs)},
    {"ompt_get_num_places", any(&get_num_places)},
    {"ompt_get_place_proc_ids", any(&get_place_proc_ids)},
    {"ompt_get_place_num", any(&get_place_num)},
    {"ompt_get_partition_place_nums", any(&get_partition_place_nums)},
    {"ompt_get_proc_id", any(&get_proc_id)},
    {"ompt_get_num_devices", any(&get_num_devices)},
    {"ompt_get_target_info", any(&get_target_info)},
    {"ompt_finalize_tool", any(&end_tool)},
};

}  // namespace

ompt_interface_fn_t look_up(const char* name) noexcept {
    for (const routine& each : routines)
        if (std::strcmp(each.name, name) == 0)
            return each.function;
    return nullptr;
}

}  // namespace teff::openmp::tools

#endif
