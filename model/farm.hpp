// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Distributes tasks over several processes. The checker has one thread and keeps its memory at a fixed address, so it
// runs in parallel by fork().
//
// A worker process takes the next number, runs task(number, result), and so on. Results are plain data in shared
// memory. Text that a worker writes to stdout may be lost, so everything that is to be printed belongs in the
// results. A worker that dies loses only the task that it was running, and another worker takes its place.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <type_traits>

namespace model {

enum class task_state : unsigned char { not_begun, begun, done };

// Zeroed memory that is shared with forked processes.
class shared_memory {
public:
    explicit shared_memory(std::size_t bytes);
    ~shared_memory();
    shared_memory(const shared_memory&) = delete;
    shared_memory& operator=(const shared_memory&) = delete;
    void* data() const noexcept { return data_; }

private:
    std::size_t bytes_;
    void* data_;
};

// Calls task(i) for all i below count in `jobs` processes. If a process died in task i, states[i] is not `done`
// afterwards.
void run_in_processes(unsigned jobs, unsigned count, const std::function<void(unsigned)>& task,
                      std::span<task_state> states);

// Runs such tasks and holds their results.
template <class Result>
class farm {
    static_assert(std::is_trivially_copyable_v<Result>);

public:
    farm(unsigned jobs, unsigned count, const std::function<void(unsigned, Result&)>& task)
        : count_(count), results_(count * sizeof(Result)), states_(count * sizeof(task_state)) {
        run_in_processes(jobs, count, [&](unsigned i) { task(i, at(i)); },
                         {static_cast<task_state*>(states_.data()), count});
    }
    const Result& operator[](unsigned i) const noexcept { return static_cast<Result*>(results_.data())[i]; }
    task_state state(unsigned i) const noexcept { return static_cast<task_state*>(states_.data())[i]; }
    bool is_done(unsigned i) const noexcept { return state(i) == task_state::done; }
    unsigned size() const noexcept { return count_; }

private:
    Result& at(unsigned i) noexcept { return static_cast<Result*>(results_.data())[i]; }

    unsigned count_;
    shared_memory results_;
    shared_memory states_;
};

}  // namespace model
