// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records the task graph (teff/dataflow_graph.hpp). Procedures that are made while the option is on start no task
// plainly (procedure::starts_plainly), so that each task passes here; all other procedures pay nothing.
//
//   new_task              a task is spawned, with its accesses; perhaps it begins at once. Holds the mutex
//   begin_run, end_run    it runs, on the calling thread
//   waiting               the calling thread waits for tasks, and runs some meanwhile
//   sync, sync_if_used    the running function has waited for its tasks
//
// One mutex guards the record. The clock is read before the mutex is taken and just before it is released, so own times
// (recorded_graph.hpp) exclude the recording.
#pragma once

#include <teff/dataflow/recorded_graph.hpp>
#include <teff/dataflow/task_function.hpp>

#include <cstdint>

namespace teff::dataflow {

// The function that runs: a task, which the thread knows, or an outermost one.
struct running_function {
    record_entry* outermost = nullptr;
    // Whether its caller is known: the function that the thread runs, or else the one that it ran before.
    bool is_at_top_level = false;
};

namespace recording {

// Reads the option at the first call. Returns whether the graph is recorded.
bool begin() noexcept;

class new_task {
public:
    new_task(const running_function& spawner, const task_function& function) noexcept;
    ~new_task();
    new_task(const new_task&) = delete;
    new_task& operator=(const new_task&) = delete;

    // Adds an access to a teff::object, whose number is set if it is 0. Returns the stretch of the spawner: a number
    // that changes with each of the spawner's syncs.
    std::uint64_t add(recorded_access access, std::uint64_t& object) noexcept;
    // Adds an access to an address.
    void add(recorded_access access) noexcept;
    // The task begins now, on this thread.
    void begin(recorded_run& run) noexcept;
    record_entry self() const noexcept { return self_; }

private:
    const bool is_on_;
    record_entry self_{};
    std::uint64_t stretch_ = 0;
};

void begin_run(recorded_run& run, record_entry task) noexcept;
void end_run(recorded_run& run) noexcept;

class scoped_run {
public:
    scoped_run(bool is_recorded, record_entry task) noexcept {
        if (is_recorded) [[unlikely]]
            begin_run(run_, task);
    }
    ~scoped_run() {
        if (run_.is_on) [[unlikely]]
            end_run(run_);
    }
    scoped_run(const scoped_run&) = delete;
    scoped_run& operator=(const scoped_run&) = delete;

private:
    recorded_run run_;
};

// The thread runs no task of its own meanwhile.
class waiting : scoped_run {
public:
    explicit waiting(bool is_recorded) noexcept : scoped_run(is_recorded, {}) {}
};

// sync: the function has waited for all of its tasks. sync_if_used: the function waits for an object that was last
// accessed in this stretch, which counts as a sync if no other sync has followed.
void sync(const running_function& function) noexcept;
void sync_if_used(const running_function& function, std::uint64_t stretch) noexcept;
// Sets the outcome of the task that the thread runs: failed or not_called.
void mark(task_outcome outcome) noexcept;
// An outermost function has ended.
void end_function(const running_function& function) noexcept;

}  // namespace recording
}  // namespace teff::dataflow
