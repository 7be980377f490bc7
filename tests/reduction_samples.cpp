// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one reduction over tracked tasks, and the samples made of it.
#include <tests/reduction_samples.hpp>

#include <teff/base/backoff.hpp>
#include <teff/reduce.hpp>
#include <teff/strand/worker.hpp>

#include <atomic>
#include <ranges>

namespace teff::testing {
namespace {

using task = conformance::tracked<>;

// Small and trivially copyable: each member has its own.
struct given_body {
    const task_body* run;

    template <class Pool>
    long operator()(Pool& pool, task self) const {
        return (*run)([&pool](std::uint32_t number) { pool.enq(task(number)); }, self.number());
    }
};

long full_tree(const enqueue& enq, std::uint32_t depth) {
    if (depth > 0) {
        enq(depth - 1);
        enq(depth - 1);
    }
    return 1;
}

}  // namespace

long reduce(const options& call, const task_body& body, std::uint32_t first) {
    return reduce(call, body, 1, [first](std::uint32_t) { return first; });
}

long reduce(const options& call, const task_body& body, std::uint32_t size, const first_task& first) {
    const auto made = std::views::iota(0U, size) |
                      std::views::transform([&first](std::uint32_t index) { return task(first(index)); });
    return reduce_tasks(call, given_body{&body}, from_range, made);
}

long reduce(const options& call, const task_body& body, const std::vector<std::uint32_t>& first) {
    const auto size = static_cast<std::uint32_t>(first.size());
    return reduce(call, body, size, [&first](std::uint32_t index) { return first[index]; });
}

task_body tree_of(std::uint32_t size) {
    return [size](const enqueue& enq, std::uint32_t number) -> long {
        for (std::uint32_t next = 2 * number + 1; next < 2 * number + 3 && next < size; ++next)
            enq(next);
        return 1;
    };
}

bool counts_right(const options& call, std::uint32_t depth) {
    return reduce(call, full_tree, depth) == tasks_of_tree(depth);
}

bool act_inside_task(const options& call, thread_kind wanted, const std::function<void()>& act) {
    std::atomic<bool> taken{false};
    std::atomic<long> enqueued{1};
    const auto body = [&](const enqueue& enq, std::uint32_t is_first) -> long {
        const bool on_worker = this_thread().worker != 0;
        if (on_worker == (wanted == thread_kind::worker) && !taken.exchange(true))
            act();
        while (is_first != 0 && !taken) {
            ++enqueued;
            enq(0);
            yield_thread();
        }
        return 1;
    };
    return reduce(call, body, 1) == enqueued;
}

}  // namespace teff::testing
