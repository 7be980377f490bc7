// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The events that the runtime reports to a tool (OMPT: OpenMP 5.1, chapter 4), and what its records keep for one.
//
// The sources of this front end are compiled twice. In the usual runtime everything here is empty: a program without a
// tool does not execute one instruction for it. In the runtime for tools (TEFF_OPENMP_CALLS_TOOL, a shared object of
// its own) each function calls the tool back. api/tool.cpp chooses between the two before the program begins.
//
// A call of the program goes through two points:
//   runtime_call    in the entry point: notes the return address and the frame of the program's call
//   program_call    in the function that calls the program's code: notes its frame
// Both nest, as the calls do. All functions are for the thread whose place or task is passed.
#pragma once

#include <cstddef>
#include <cstdint>

#if TEFF_OPENMP_CALLS_TOOL
#include <teff/base/atomic.hpp>
#include <teff/openmp/omp-tools.h>
#endif

namespace teff::openmp {

struct completion_event;
struct place;
struct task;
struct team;

namespace events {

// The numbers are those of the specification.
enum class sync_kind : int {
    barrier_explicit = 3,
    barrier_implementation = 4,
    taskwait = 5,
    taskgroup = 6,
    reduction = 7,
    barrier_workshare = 8,
    barrier_parallel = 9,
    barrier_teams = 10
};
enum class work_kind : int {
    loop = 1,
    sections = 2,
    single_executor = 3,
    single_other = 4,
    distribute = 6,
    taskloop = 7,
    scope = 8,
    loop_static = 10,
    loop_dynamic = 11,
    loop_guided = 12,
    loop_other = 13
};
enum class mutex_kind : int { lock = 1, test_lock, nest_lock, test_nest_lock, critical, atomic, ordered };
enum class task_status : int {
    complete = 1,
    yield = 2,
    cancel = 3,
    detach = 4,
    early_fulfill = 5,
    late_fulfill = 6,
    switched = 7,
    taskwait_complete = 8
};
// Laid out as the specification's ompt_dependence_t.
enum class dependence_kind : int {
    in = 1,
    out = 2,
    inout = 3,
    mutexinoutset = 4,
    source = 5,
    sink = 6,
    inoutset = 7,
    out_all_memory = 34
};
struct dependence {
    std::uint64_t variable;  // an address; of a doacross loop, an iteration
    dependence_kind kind;
};
// Flags of a task.
inline constexpr int undeferred = 0x08000000, untied = 0x10000000;
inline constexpr int invoked_by_program = 1, invoked_by_runtime = 2, is_team = static_cast<int>(0x80000000);
inline constexpr int cancel_parallel = 1, cancel_sections = 2, cancel_loop = 4, cancel_taskgroup = 8,
                     cancel_activated = 0x10, cancel_detected = 0x20, cancel_discarded_task = 0x40;

#if TEFF_OPENMP_CALLS_TOOL

inline constexpr bool are_reported = true;

struct live_access;
// A task in the graph of dependences, laid out as in LLVM's runtime (tools/dependence_pairs.hpp).
struct graph_node;
struct graph_edge {
    graph_node* to;
    graph_edge* next;
};
struct graph_node {
    graph_edge* successors = nullptr;
};
// A worksharing construct, from its begin to its end.
struct open_work {
    work_kind kind;
    std::uint64_t count;
};
struct task_record {
    ompt_data_t data{};
    ompt_frame_t frame{};
    int flags = 0;
    task* below = nullptr;  // while it runs: the task that the thread has left for it
    bool is_detached = false;  // its function has returned, and its event was not fulfilled
    bool is_over = false;      // its end was reported
    ompt_dispatch_chunk_t chunk{};  // of a taskloop; no iterations: it is a part of none
    static constexpr unsigned most_open = 4;
    live_access* accesses = nullptr;  // dependences that later tasks may wait for (tools/dependence_pairs.hpp)
    graph_node node;
    unsigned open_count = 0;
    open_work open[most_open]{};  // the innermost last
    // of the teams construct that the task executes
    bool has_league = false;
    ompt_data_t league{};
    const void* league_called_from = nullptr;
};
struct team_record {
    ompt_data_t data{};
    const void* called_from = nullptr;
    int flags = 0;
    bool is_in_league = false;
    ompt_data_t initial_task{};  // of a team in a league
};
// How the event of a task is reported to a tool. The first of three threads decides: one that fulfils the event, one
// that returns from the task's function, one that drops the task.
struct event_record {
    static constexpr unsigned open = 0, is_reported = 1, was_early = 2, detached = 3, dropped = 4;
    atomic<unsigned> decision{open};
};
struct call_site {
    const void* return_address;
    void* frame;
};
#define TEFF_CALL_SITE (::teff::openmp::events::call_site{__builtin_return_address(0), __builtin_frame_address(0)})
#define TEFF_OWN_FRAME __builtin_frame_address(0)
// Where a function in assembly notes its own frame.
struct frame_slot {
    void** where;
};
frame_slot exit_frame_of(task& running) noexcept;

class [[nodiscard]] runtime_call {
public:
    explicit runtime_call(call_site from) noexcept;
    ~runtime_call();
    runtime_call(const runtime_call&) = delete;
    runtime_call& operator=(const runtime_call&) = delete;
    // The program goes on in a task whose end is a call of its own, which calls close_call().
    void stays_open(task& inside) noexcept;

private:
    task& in_;
    void* const frame_before_;
    const void* const called_from_before_;
    bool stays_open_ = false;
};
void close_call(task& outside) noexcept;
class [[nodiscard]] program_call {
public:
    program_call(task& running, void* frame) noexcept;
    ~program_call();
    program_call(const program_call&) = delete;
    program_call& operator=(const program_call&) = delete;

private:
    task& running_;
    void* const before_;
    const void* const called_from_before_;
};

// A task scheduling point at which the program yields.
class [[nodiscard]] task_yield {
public:
    task_yield() noexcept;
    ~task_yield();
    task_yield(const task_yield&) = delete;
    task_yield& operator=(const task_yield&) = delete;
};

// A wait with dependences, which is an empty task for a tool.
class [[nodiscard]] depend_wait {
public:
    depend_wait() noexcept;
    ~depend_wait();
    depend_wait(const depend_wait&) = delete;
    depend_wait& operator=(const depend_wait&) = delete;
    task_record& as_task() const noexcept { return as_task_; }

private:
    mutable task_record as_task_;
};

// A wait, from its begin to its end.
class [[nodiscard]] sync_region {
public:
    explicit sync_region(sync_kind kind) noexcept;
    ~sync_region();
    sync_region(const sync_region&) = delete;
    sync_region& operator=(const sync_region&) = delete;

private:
    sync_kind const kind_;
    int const state_before_;
    const void* const called_from_;
};

// A thread of the pool, or one of the program, uses the runtime for the first time. The end of the pool's threads is
// reported when they exit.
void thread_begins(bool is_worker) noexcept;
void thread_ends() noexcept;
// The number of threads that the program asks for the next region; without this call it is 1.
void region_requested(unsigned threads) noexcept;
// flags: whether the program or the runtime calls the region's function, and is_team.
void region_begins(place& opener, team& next, int flags) noexcept;
void region_ends(place& opener, team& ended) noexcept;
// The implicit task of a place. The last thread of a region may report its end after the region has ended.
void implicit_task_begins(place& member) noexcept;
// A teams construct. Its teams are reported as LLVM's runtime does: each one has an initial task, which opens a region
// of one thread, and what the program does belongs to the implicit task of that region.
void league_begins(place& opener, unsigned teams) noexcept;
void league_ends(place& opener) noexcept;
// The calling thread as a team of a league, or as the initial thread of a target region.
void team_begins(place& mine) noexcept;
void implicit_task_ends(place& member) noexcept;

void task_created(task& made, int flags, bool has_dependences) noexcept;
// bits: of a task (teams/task.hpp). is_undeferred: by a clause; tasks in a team of one thread are, too.
int flags_of(std::uint32_t bits, bool is_undeferred) noexcept;
// The task has a part of a taskloop; the next one that the thread makes has.
void task_has_chunk(task& made, std::uint64_t start, std::uint64_t iterations) noexcept;
void next_task_has_chunk(std::uint64_t start, std::uint64_t iterations) noexcept;
// More of the next task that the thread makes, where its record does not say so: flags, and its dependences, which are
// reported with its creation.
void next_task_has(int flags) noexcept;
void next_task_has(const dependence* items, int count) noexcept;
// The thread leaves a task for the next one, and comes back.
void task_begins(task& prior, task& next) noexcept;
void task_ends(task& ended, task_status status, task& next) noexcept;
// The same for a task in a descriptor. A task that is cancelled before it begins is reported by task_dropped() only,
// and then the result is false. One with an event may go on after its function has returned.
bool begins_unless_dropped(task& prior, task& next) noexcept;
void task_returns(task& left, task& next) noexcept;
// The event of a task: before it is fulfilled; before it is dropped; and if that ends the task, whose function has
// returned.
void event_fulfilled(completion_event& fulfilled) noexcept;
void event_dropped(completion_event& dropped) noexcept;
void event_ends_task(task& its_task) noexcept;
void task_dropped(task& unused) noexcept;
void dependences(task_record& of, const dependence* items, int count) noexcept;
void dependences(task& of, const dependence* items, int count) noexcept;
// Whether the program reads the graph of its unfinished tasks. Then each task with dependences is queued, and is a node
// until it has ended.
bool keeps_graph() noexcept;
// nullptr: the graph is not kept, or the task has no dependences.
graph_node* node_of(task& some) noexcept;

// count: iterations or sections.
void loop_begins(work_kind kind, std::uint64_t count) noexcept;
void sections_begin(std::uint64_t count) noexcept;
void next_loop_has_sections() noexcept;
void chunk_begins(std::uint64_t start, std::uint64_t iterations) noexcept;
// A thread that does not execute the block reports the end as well.
void single_begins(bool is_executor) noexcept;
// Ends the innermost open construct, if there is one.
void work_ends() noexcept;
void taskgroup_begins() noexcept;
void reduction_begins() noexcept;
void reduction_ends() noexcept;
void masked_begins(call_site from) noexcept;
void masked_ends(call_site from) noexcept;
// The object is what the threads exclude each other from.
void mutex_acquire(mutex_kind kind, unsigned hint, const void* object, call_site from) noexcept;
void mutex_acquired(mutex_kind kind, const void* object, call_site from) noexcept;
// The lock is not free.
void mutex_missed() noexcept;
void mutex_released(mutex_kind kind, const void* object, call_site from) noexcept;
void nest_lock_entered(const void* object, call_site from) noexcept;
void nest_lock_left(const void* object, call_site from) noexcept;
void lock_made(mutex_kind kind, unsigned hint, const void* object, call_site from) noexcept;
void lock_destroyed(mutex_kind kind, const void* object, call_site from) noexcept;

void flushed(call_site from) noexcept;
void cancelled(int flags) noexcept;
void error(bool is_fatal, const char* message, call_site from) noexcept;
// The result of omp_control_tool().
int control(int command, int modifier, void* argument, call_site from) noexcept;

#else

inline constexpr bool are_reported = false;

struct graph_edge;
struct graph_node {
    graph_edge* successors = nullptr;
};
struct task_record {};
struct team_record {};
struct event_record {};
struct call_site {};
#define TEFF_CALL_SITE (::teff::openmp::events::call_site{})
#define TEFF_OWN_FRAME nullptr
struct frame_slot {};
inline frame_slot exit_frame_of(task&) noexcept { return {}; }

struct runtime_call {
    explicit runtime_call(call_site) noexcept {}
    void stays_open(task&) noexcept {}
};
inline void close_call(task&) noexcept {}
struct program_call {
    program_call(task&, std::nullptr_t) noexcept {}
};
struct task_yield {
    task_yield() noexcept {}
};
struct depend_wait {
    depend_wait() noexcept {}
    task_record as_task() const noexcept { return {}; }
};
struct sync_region {
    explicit sync_region(sync_kind) noexcept {}
};

inline void thread_begins(bool) noexcept {}
inline void thread_ends() noexcept {}
inline void league_begins(place&, unsigned) noexcept {}
inline void league_ends(place&) noexcept {}
inline void team_begins(place&) noexcept {}
inline void region_requested(unsigned) noexcept {}
inline void region_begins(place&, team&, int) noexcept {}
inline void region_ends(place&, team&) noexcept {}
inline void implicit_task_begins(place&) noexcept {}
inline void implicit_task_ends(place&) noexcept {}
inline void task_created(task&, int, bool) noexcept {}
inline int flags_of(std::uint32_t, bool) noexcept { return 0; }
inline void task_has_chunk(task&, std::uint64_t, std::uint64_t) noexcept {}
inline void next_task_has_chunk(std::uint64_t, std::uint64_t) noexcept {}
inline void next_task_has(int) noexcept {}
inline void next_task_has(const dependence*, int) noexcept {}
inline void task_begins(task&, task&) noexcept {}
inline void task_ends(task&, task_status, task&) noexcept {}
inline bool begins_unless_dropped(task&, task&) noexcept { return false; }
inline void task_returns(task&, task&) noexcept {}
inline void event_ends_task(task&) noexcept {}
inline void event_fulfilled(completion_event&) noexcept {}
inline void event_dropped(completion_event&) noexcept {}
inline void task_dropped(task&) noexcept {}
inline void dependences(task_record, const dependence*, int) noexcept {}
inline void dependences(task&, const dependence*, int) noexcept {}
inline bool keeps_graph() noexcept { return false; }
inline graph_node* node_of(task&) noexcept { return nullptr; }
inline void loop_begins(work_kind, std::uint64_t) noexcept {}
inline void next_loop_has_sections() noexcept {}
inline void sections_begin(std::uint64_t) noexcept {}
inline void chunk_begins(std::uint64_t, std::uint64_t) noexcept {}
inline void single_begins(bool) noexcept {}
inline void work_ends() noexcept {}
inline void taskgroup_begins() noexcept {}
inline void reduction_begins() noexcept {}
inline void reduction_ends() noexcept {}
inline void masked_begins(call_site) noexcept {}
inline void masked_ends(call_site) noexcept {}
inline void mutex_acquire(mutex_kind, unsigned, const void*, call_site) noexcept {}
inline void mutex_acquired(mutex_kind, const void*, call_site) noexcept {}
inline void mutex_missed() noexcept {}
inline void mutex_released(mutex_kind, const void*, call_site) noexcept {}
inline void nest_lock_entered(const void*, call_site) noexcept {}
inline void nest_lock_left(const void*, call_site) noexcept {}
inline void lock_made(mutex_kind, unsigned, const void*, call_site) noexcept {}
inline void lock_destroyed(mutex_kind, const void*, call_site) noexcept {}
inline void flushed(call_site) noexcept {}
inline void cancelled(int) noexcept {}
inline void error(bool, const char*, call_site) noexcept {}
inline int control(int, int, void*, call_site) noexcept { return -2; }

#endif

}  // namespace events
}  // namespace teff::openmp
