// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work for several processes: the checker itself has one thread and its memory at a fixed address, so it is forked.
//
// A worker takes the next number, runs task(number, result), and so on; results are plain data in shared memory. What a
// worker writes to stdout is lost: results carry what is to be said. A worker that dies loses only the task that it was
// at; another one takes its place.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <type_traits>

namespace model {

enum class task_state : unsigned char { not_begun, begun, done };

// Zeroed memory that forked processes share, as `count` objects of a plain type.
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

// Calls task(i) for i below count in `jobs` processes. states[i] is not `done` afterwards if the process died in it.
void run_in_processes(unsigned jobs, unsigned count, const std::function<void(unsigned)>& task,
                      std::span<task_state> states);

// The results of such tasks.
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
