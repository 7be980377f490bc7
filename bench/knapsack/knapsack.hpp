// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 0/1 knapsack by branch and bound (Blaze-Tasks, section 5.1; the benchmark comes from Cilk by way of the Barcelona
// OpenMP Tasks Suite).
//
// Items are sorted by value per weight. A task decides about one item after the other: it creates a task for the
// branch without the item and continues with the item taken. It ends when nothing fits, when no item is left, or when
// the bound shows that the branch cannot reach the best value. That bound is the value so far plus the remaining
// capacity filled at the density of the next item. All computations use integers: the comparison is multiplied by the
// item's weight, so that every compiler prunes alike.
//
// A search that shares its best value visits more or fewer nodes, depending on timing. The compared variants
// therefore start with the optimum (by dynamic programming, independent of the search) as a fixed bound, and keep
// every branch that may still reach it. So they must find the optimum and visit the same nodes in every runtime. Only
// the variant `shared` starts without a bound and improves it.
// Rejected: the tighter bound that fills up with whole items first. It costs a loop per node and leaves so few nodes
// that the kernel would no longer measure tasks; with the bound above, the suite's input of 44 items takes the
// paper's 11 million tasks.
#pragma once

#include <bench/harness/kernel.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace bench::knapsack {

inline constexpr int min_items = 4;
inline constexpr int max_items = 128;
inline constexpr int largest_number = 1'000'000;   // value, weight or capacity: products stay far below 2^63

struct item {
    std::int32_t value = 0;
    std::int32_t weight = 1;
};

struct problem {
    std::vector<item> items;    // by falling density
    std::int32_t capacity = 0;
    std::int64_t optimum = 0;
    std::uint64_t tasks = 0;    // with the optimum as a fixed bound; 0: not known
};

// The items before `next` are decided.
struct task {
    std::int32_t next = 0;
    std::int32_t room = 0;
    std::int64_t value = 0;
};

struct result {
    std::int64_t best = 0;
    std::uint64_t tasks = 0;

    result& operator+=(const result& other) {
        best = std::max(best, other.best);
        tasks += other.tasks;
        return *this;
    }
};

// A bound that never changes: the optimum of the problem.
class fixed_bound {
public:
    explicit fixed_bound(std::int64_t value) : value_(value) {}

    // Whether a branch with this value and this remaining room, filled at the density of `densest`, may matter.
    bool allows(std::int64_t value, std::int64_t room, item densest) const {
        return value * densest.weight + room * densest.value >= value_ * densest.weight;
    }
    void found(std::int64_t) const {}

private:
    std::int64_t value_;
};

// The best value that any worker has found; allows only branches that may improve on it.
class shared_bound {
public:
    bool allows(std::int64_t value, std::int64_t room, item densest) const {
        // relaxed: a stale bound only costs work, and no other data is read through it; partner: the CAS in found().
        const std::int64_t best = value_.load(std::memory_order_relaxed);
        return value * densest.weight + room * densest.value > best * densest.weight;
    }

    void found(std::int64_t value) {
        // relaxed: as in allows(); the value itself is all that is communicated.
        std::int64_t seen = value_.load(std::memory_order_relaxed);
        while (value > seen) {
            // relaxed for success and failure: as above.
            if (value_.compare_exchange_weak(seen, value, std::memory_order_relaxed, std::memory_order_relaxed)) break;
        }
    }

private:
    std::atomic<std::int64_t> value_{0};
};

enum class verdict : std::uint8_t { full, cut_off, branch };

// Classifies a node that does not exceed the capacity.
template <class Bound> verdict look_at(const problem& input, Bound& bound, const task& node) {
    if (node.next == static_cast<std::int32_t>(input.items.size()) || node.room == 0) {
        bound.found(node.value);
        return verdict::full;
    }
    const item densest = input.items[static_cast<std::size_t>(node.next)];
    return bound.allows(node.value, node.room, densest) ? verdict::branch : verdict::cut_off;
}

inline task without_next(const task& node) { return {node.next + 1, node.room, node.value}; }

// The room is negative if the item does not fit.
inline task with_next(const problem& input, const task& node) {
    const item taken = input.items[static_cast<std::size_t>(node.next)];
    return {node.next + 1, node.room - taken.weight, node.value + taken.value};
}

// One task: calls create(child) for every branch that it leaves to another task.
template <class Bound, class Create>
inline result walk(const problem& input, Bound& bound, task node, const Create& create) {
    while (node.room >= 0) {
        const verdict seen = look_at(input, bound, node);
        if (seen == verdict::full) return {node.value, 1};
        if (seen == verdict::cut_off) break;
        create(without_next(node));
        node = with_next(input, node);
    }
    return {.tasks = 1};
}

// The task as the body of a reduction over tasks.
template <class Bound> struct body {
    const problem& input;
    Bound& bound;

    template <class Pool> result operator()(Pool& pool, task node) const {
        return walk(input, bound, node, [&pool](task child) { pool.enq(child); });
    }
};

// Calls measure(bound) with the bound of the requested variant.
template <class Measure> outcome with_bound(const parameters& p, const problem& input, const Measure& measure) {
    if (p.variant == "shared") {
        shared_bound bound;
        return measure(bound);
    }
    fixed_bound bound(input.optimum);
    return measure(bound);
}

task first_task(const problem& input);

// The problem that p asks for: a file, or a number of items from min_items to max_items. Its optimum is set.
problem problem_of(const parameters& p);

// A problem with `items` items, generated from a fixed seed.
problem make_problem(int items);

// A random problem of the same kind.
problem random_problem(int items, std::uint64_t seed);

// Reads the format of the Barcelona suite.
problem read_problem(const std::string& path);

// The best value, by dynamic programming over capacities.
std::int64_t best_value(const problem& input);

// The number of tasks of the search with the optimum as a fixed bound, by a recursion over single nodes.
std::uint64_t count_tasks(const problem& input);

// Compares the result with the optimum and, if the bound was fixed, with the number of tasks.
outcome checked(const parameters& p, const problem& input, double seconds, const result& found);

}  // namespace bench::knapsack
