// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The deferred tasks of a procedure instance: those that were spawned and not called at once. A tracker (teff/depend)
// finds out when they are ready. A thread that ends the last task for which another task waits pushes that task to the
// team.
//
//                       submit, await   run    safe together?
//   submit, await             -         yes    the thread that executes the procedure
//   run                                 yes    any member of the team
//
// The number of tasks that have not ended is bounded (option dataflow_tasks): the graph counts its tasks in two halves,
// and before it uses a half again, it waits for that half's tasks.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/dataflow/procedure.hpp>
#include <teff/depend/tracker.hpp>
#include <teff/frontends/fork_join/group_state.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/task/descriptor_pool.hpp>

#include <array>
#include <exception>
#include <memory>
#include <span>

namespace teff::dataflow {

// A deferred task, at the start of a descriptor's payload; its accesses and its function follow.
struct deferred_task : depend::tracked_task, depend::exclusion_waiter {
    deferred_task(graph& graph, task_descriptor& descriptor, depend::tracked_access* first, unsigned count) noexcept
        : tracked_task(first, count), home(graph), memory(descriptor) {}

    // Calls graph::begin(), the task's function, destroys the function, and calls graph::end().
    void (*call)(deferred_task& self) noexcept = nullptr;
    // Destroys the task and returns its memory.
    void (*free)(deferred_task& self) noexcept = nullptr;

    graph& home;
    task_descriptor& memory;
    const inherited_enclosing around;
    unsigned char half = 0;
    bool was_called = false;
    depend::exclusion* last_locked = nullptr;  // the lock of a commutative object
    record_entry recorded{};
};

class graph {
public:
    // Throws std::bad_alloc.
    explicit graph(procedure& spawner);
    ~graph();
    graph(const graph&) = delete;
    graph& operator=(const graph&) = delete;

    // Whether a task that could start now should be deferred, since another thread would take it. Throws as
    // group_state::wants_task().
    bool wants_task() { return half().wants_task(counted_ahead_); }
    // Issues a task, and runs it now if it is ready and the scheduler refuses it.
    void submit(deferred_task& made) noexcept;
    void await() noexcept;
    // Call before using state that tasks share, such as a tracker's mutex: in the child of a fork(), a thread that does
    // not exist there may hold it. There the call waits for the tasks, which ends the process with a message if tasks
    // of the parent have not ended. Also for threads that run a task of the graph.
    void require_own_process() noexcept;
    // After await(): appends the views of ordered reducers, and throws the first error.
    void finish();

    // Called by the scheduler: runs a ready task, and then the tasks that became ready by it and that the scheduler
    // refuses.
    static void run(deferred_task& ready) noexcept;

    // Allocates what a task with these accesses needs besides its own memory. Throws std::bad_alloc.
    static void prepare(std::span<const request> accesses);
    // Fills in the accesses of a new task, after prepare(); from then on the task must be submitted.
    void register_accesses(deferred_task& made, std::span<request> accesses, const task_function& function) noexcept;
    // For the task's `call`. begin: finds the function's arguments; false: the function must not be called, since a
    // task that it depends on has failed, or the team is stopping. Throws what copies for reductions throw. end: after
    // the function; `error` is the exception of the function or of begin().
    bool begin(deferred_task& task, std::span<request> given);
    void end(deferred_task& task, std::span<request> given, std::exception_ptr error) noexcept;
    procedure& home() noexcept { return procedure_; }

    // Hands the lock of a commutative object to the next task.
    void unlock(version& used) noexcept;

private:
    forking::group_state& half() noexcept { return halves_[current_]; }
    void count_one() noexcept;
    void uncount_ahead() noexcept;
    // After run_all() the calling thread either returns to the code that has called into the graph, or takes the next
    // task of its queue.
    enum class afterwards : unsigned char { returns, takes_next };
    static void run_all(depend::ready_list& ready, afterwards what) noexcept;
    static void offer(depend::ready_list& others) noexcept;
    void run_one(deferred_task& task, depend::ready_list& refused, afterwards what) noexcept;
    static bool lock_rest(deferred_task& task) noexcept;
    static void pass_on(version& used, depend::ready_list& ready) noexcept;
    void push(deferred_task& ready, depend::ready_list& refused) noexcept;
    static bool keeps_next(const deferred_task& ending) noexcept;
    static void push_next(deferred_task& ready, depend::ready_list& refused) noexcept;
    void search_if_due() noexcept;

    static void run_search(task_header& self) noexcept;

    procedure& procedure_;
    unsigned generation_;  // of the process (pool.hpp) whose tasks these are
    const std::unique_ptr<depend::tracker> tracker_;
    std::array<forking::group_state, 2> halves_;
    unsigned current_ = 0;
    std::size_t submitted_ = 0;  // in the current half
    // The number of tasks that are counted in the current half in advance. All threads that end tasks write the count,
    // so the spawning thread writes it once for many tasks.
    static constexpr unsigned most_ahead = 32;
    unsigned counted_ahead_ = 0;
    const std::size_t bound_;    // of a half
    atomic<bool> was_stopped_{false};  // whether tasks were not called because of a stop request

    // A task of the team that searches the tracker; it is queued at most once.
    struct search_task : task_header {
        explicit search_task(graph& searched) noexcept : task_header(&run_search), home(searched) {}
        graph& home;
        depend::search_request request;
    } search_{*this};
};

}  // namespace teff::dataflow
