// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The task loop without threads: the serial variant `stack`. It runs the same body as this library's reduction, with
// a std::vector as its pool, last in, first out. Its time is the cost of the tasks themselves; whatever a runtime
// adds to that is overhead.
#pragma once

#include <utility>
#include <vector>

namespace bench {

template <class Task> class task_stack {
public:
    explicit task_stack(Task first) { enq(std::move(first)); }

    void enq(Task task) { tasks_.push_back(std::move(task)); }

    bool empty() const { return tasks_.empty(); }

    Task take() {
        Task last = std::move(tasks_.back());
        tasks_.pop_back();
        return last;
    }

private:
    std::vector<Task> tasks_;
};

// body(pool, task) returns a result that has += and whose default value is neutral.
template <class Body, class Task> auto reduce_on_stack(const Body& body, Task first) {
    task_stack<Task> pool(std::move(first));
    auto result = body(pool, pool.take());
    while (!pool.empty()) result += body(pool, pool.take());
    return result;
}

}  // namespace bench
