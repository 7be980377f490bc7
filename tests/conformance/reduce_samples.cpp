// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one reduction over tracked tasks, and the samples made of it.
#include <tests/conformance/reduce_samples.hpp>

#include <teff/reduce.hpp>

#include <ranges>
#include <utility>

namespace conformance {
namespace {

// Small and trivially copyable: each member has its own.
struct given_body {
    const task_body* run;

    template <class Pool>
    long operator()(Pool& pool, task self) const {
        return (*run)([&pool](std::uint32_t number) { pool.enq(task(number)); }, self.number());
    }
};

}  // namespace

long reduce(const teff::options& call, const task_body& body, std::uint32_t first) {
    return teff::reduce_tasks(call, given_body{&body}, task(first));
}

long reduce(const teff::options& call, const task_body& body, std::uint32_t size, const first_task& first) {
    const auto made = std::views::iota(0U, size) |
                      std::views::transform([&first](std::uint32_t index) { return task(first(index)); });
    return teff::reduce_tasks(call, given_body{&body}, teff::from_range, made);
}

long reduce(const teff::options& call, const task_body& body, const std::vector<std::uint32_t>& first) {
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

bool works(const teff::options& call) { return reduce(call, tree_of(500)) == 500; }

}  // namespace conformance
