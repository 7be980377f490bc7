// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A procedure instance: one execution of a function that spawns tasks with dependences (Vandierendonck et al., sections
// 2 and 3.1). It has a task graph of its own. Tasks are issued by the thread that executes it, in program order.
//
//   the outermost one of a strand     made by the first spawn() outside such tasks; ends with the strand or task
//   a task                            while its function runs; on the stack of the thread that runs it
//
// A task that can start when it is spawned, and for which no other thread waits, is called at once (work first).
// The tracker does not register it: no other task of the graph is issued before it has ended, so its accesses must only
// be compatible with those of the tasks that run already. All other tasks are deferred: graph.hpp. While the task graph
// is recorded (recording.hpp) tasks are called at once as well, but all of them pass resolve() and begin().
//
// A task accesses the objects that it was given. Its children's accesses to such an object are tracked in a nested
// version, which has the same value; only its own graph uses it. A nested version that was renamed is moved back by
// sync().
//
// Only the thread that executes the procedure calls its functions; threads that run its tasks may call drop(), epoch(),
// tracker() and is_recorded(), too.
#pragma once

#include <teff/dataflow/task_function.hpp>
#include <teff/dataflow/version.hpp>
#include <teff/strand/running_strand.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>

namespace teff {

struct team_options;

}  // namespace teff

namespace teff::dataflow {

class graph;
struct running_function;

// An access of a task as passed to spawn(), and the results of resolve() and begin() for it.
struct request {
    object_base* object;  // nullptr: the object is the address `value`
    void* value;          // the argument of the function
    depend::access_kind kind;
    reduction_function reduction = nullptr;  // of kind `concurrent`
    // found by resolve()
    version** newest = nullptr;  // of the object, in the running procedure
    version* fresh = nullptr;    // a version to be the newest one, where the access renames the object
    // by begin()
    bool is_locked = false;
    bool has_copy = false;  // `value` is a private copy
};

class procedure final : public spawned_tasks {
public:
    // For a task: the accesses that it was given.
    procedure(procedure& parent, std::span<const request> given) noexcept
        : spawned_tasks{nullptr}, parent_(&parent), given_(given), trackers_(parent.trackers_) {}
    // Waits for the tasks, if the function has ended by an exception.
    ~procedure() {
        if (has_spawned())
            end_all();
    }
    procedure(const procedure&) = delete;
    procedure& operator=(const procedure&) = delete;

    // The procedure that the calling thread executes; makes it if there is none. Throws std::bad_alloc.
    static procedure& running();
    // nullptr: the function has spawned no task yet, and is not a task.
    static procedure* find_running() noexcept { return static_cast<procedure*>(running_strand().spawned); }

    // Handles the most frequent case in one step: whether the task can be called now, with the values in the accesses,
    // without any preparation. Such a task needs no end_at_once() unless it throws. False: nothing was changed. A task
    // without accesses starts plainly unless the graph is recorded.
    bool starts_plainly(std::span<request> accesses) noexcept;
    // Finds the versions. Throws std::invalid_argument, std::logic_error, std::bad_alloc, or what a value's constructor
    // throws; then nothing was changed.
    void resolve(std::span<request> accesses);
    // Undoes resolve(), for a task that is not spawned after all.
    void forget(std::span<request> accesses) noexcept;
    // After resolve(). True: the task is to be called now, with the values in the accesses, and end_at_once() follows.
    // False: it is to be deferred. is_plain: no other thread waits for a task. Throws what copies for reductions throw,
    // stopped, or stack_exhausted; then nothing was changed. end_at_once() gets the same `recorded`.
    bool begin(std::span<request> accesses, bool is_plain, recorded_spawn& recorded);
    void end_at_once(std::span<request> accesses, recorded_spawn& recorded) noexcept {
        leave_at_once(accesses);
        if (recorded.run.is_on) [[unlikely]]
            end_recorded(recorded.run);
    }
    // True: a task that this one depends on has failed, so this one must not be called, and counts as failed itself.
    bool skips_failed(std::span<const request> accesses) noexcept;
    // The function of a task that was called at once has thrown.
    void fail_at_once(std::span<const request> accesses, std::exception_ptr error) noexcept;

    // The graph of deferred tasks. Throws std::bad_alloc.
    graph& deferred();
    // Makes fresh versions the newest ones.
    void commit(std::span<request> accesses) noexcept;
    // Makes the private copies of a reduction, unless there are some. Throws std::bad_alloc.
    static void prepare_copies(version& used, reduction_function reduction);

    // Keeps the first error.
    void fail(std::exception_ptr error) noexcept;
    // Waits for all tasks.
    void await() noexcept;
    // As graph::require_own_process(); call before using an object.
    void require_own_process() noexcept;
    // Waits for all tasks, then rethrows the first error of a task, once. Objects are their newest versions again.
    void sync() {
        if (has_spawned() || error_ != nullptr)
            sync_all();
    }

    // Records that a task is spawned; call before commit().
    record_entry record(std::span<request> accesses, const task_function& function, recorded_run* run) noexcept;
    // Records that the function has waited for this version.
    void record_wait_for(const version& used) noexcept;
    bool is_recorded() const noexcept { return trackers_.plain != trackers_.chosen; }

    std::uint64_t epoch() const noexcept { return epoch_; }
    unsigned char tracker() const noexcept { return trackers_.chosen; }

    // For object_base. number_here: of the procedure that the thread executes; 0: unknown, the function may have been
    // taken from another thread.
    static constexpr std::uint64_t top_level = 1;
    static std::uint64_t number_here() noexcept;
    [[noreturn]] static void throw_used_elsewhere();
    version*& newest_of(object_base& object);
    static bool is_idle(version& some) noexcept;
    static void combine(version& idle);
    static void drop(version& unused) noexcept;

private:
    struct nested_object;
    struct address_table;

    // Rows of the trackers. No version has `no_plain`.
    struct tracker_rows {
        static constexpr unsigned char no_plain = version::no_tracker - 1;
        unsigned char chosen;
        unsigned char plain;  // the tracker of versions that a plainly called task may use
    };

    static constexpr std::uint64_t no_epoch = 1;

    procedure();
    // The options of the thread's team; if it has none, those that its next team would get.
    static team_options options_here();
    static bool is_at_top_level() noexcept;
    std::uint64_t give_epoch() noexcept;
    bool has_spawned() const noexcept { return graph_ != nullptr || nested_ != nullptr || addresses_ != nullptr; }
    void end_all() noexcept;
    void sync_all();
    static void end_outermost(spawned_tasks& self) noexcept;
    static void end_with_thread() noexcept;
    void mark_failed(std::span<const request> accesses) noexcept;
    bool can_start(std::span<const request> accesses) noexcept;
    bool begin_at_once(std::span<request> accesses, recorded_spawn& recorded);
    void leave_at_once(std::span<request> accesses) noexcept;
    const request* find_given(const object_base& object) const noexcept;
    void require_access(const object_base& object, depend::access_kind kind, reduction_function reduction) const;
    version*& version_at(void* address);
    void adopt(version& used);
    void combine_before(version& used, const request& access);
    static bool can_rename(const request& access);
    version* rename(const request& access, const version& busy);
    void move_back_nested() noexcept;
    running_function recorded_function() noexcept;
    // Out of line, so that the usual way needs no more registers.
    [[gnu::cold, gnu::noinline]] void prepare_sync() noexcept;
    [[gnu::cold, gnu::noinline]] void begin_recorded(std::span<request> accesses, recorded_spawn& recorded) noexcept;
    [[gnu::cold, gnu::noinline]] static void end_recorded(recorded_run& run) noexcept;
    [[gnu::cold, gnu::noinline]] static void mark_not_called() noexcept;

    procedure* const parent_ = nullptr;
    const std::span<const request> given_;
    graph* graph_ = nullptr;
    nested_object* nested_ = nullptr;
    address_table* addresses_ = nullptr;
    std::exception_ptr error_;
    const unsigned generation_ = 0;  // of the process (pool.hpp), if it is an outermost one
    // Its unique number, once an object was made in it; top_level: outside all tasks.
    std::uint64_t number_ = 0;
    // The epoch of its tasks between two calls of sync(); versions name it if a task has failed. Set when first needed.
    std::uint64_t epoch_ = no_epoch;
    const tracker_rows trackers_;
    record_entry recorded_;  // of an outermost one; not set in a task, which its thread knows (recording.hpp)
};

// The scope in which the function of a task runs on the calling thread.
class body_scope {
public:
    body_scope(procedure& parent, std::span<const request> given) noexcept
        : strand_(running_strand()), before_(strand_.spawned), here_(parent, given) {
        strand_.spawned = &here_;
    }
    ~body_scope() { strand_.spawned = before_; }
    body_scope(const body_scope&) = delete;
    body_scope& operator=(const body_scope&) = delete;

    // After the function: the implicit sync().
    void end() { here_.sync(); }

private:
    strand& strand_;
    spawned_tasks* const before_;
    procedure here_;
};

}  // namespace teff::dataflow
