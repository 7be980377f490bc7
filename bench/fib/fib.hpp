// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fibonacci numbers by expanding the whole tree of calls down to the leaves 0 and 1 (Blaze-Tasks, section 5.1). A
// task does almost nothing, so this measures the cost of creating, finding and finishing a task.
//
// A task is an argument. It creates a task for fib(num - 2) and continues with fib(num - 1), until a leaf is left;
// the result is the sum of the leaves. Each task ends in one leaf, so fib(n) takes fib(n + 1) tasks: 165,580,141 for
// n = 40, which is the paper's number. (The paper's listing stops a step earlier, at 2, and would need 102,334,155
// tasks; its text and its numbers expand the whole tree.) With a cut-off, arguments below it are leaves, too,
// computed by plain recursion.
#pragma once

#include <bench/harness/kernel.hpp>

#include <cstddef>

namespace bench::fib {

// Decides where tasks end. It is a type, so that the version without a cut-off does not pay for the version with one.
struct no_cutoff {
    static constexpr std::size_t first_split = 2;     // smaller arguments are leaves
    static std::size_t solve(std::size_t num) { return num; }
};

TEFF_BENCH_RECURSIVE inline std::size_t recursive(std::size_t num) {
    return num < 2 ? num : recursive(num - 1) + recursive(num - 2);
}

struct cutoff_at {
    std::size_t first_split;
    static std::size_t solve(std::size_t num) { return recursive(num); }
};

// Calls measure(rule) with the rule that p asks for.
template <class Measure> outcome with_rule(const parameters& p, const Measure& measure) {
    if (p.cutoff <= 2) return measure(no_cutoff{});
    return measure(cutoff_at{static_cast<std::size_t>(p.cutoff)});
}

// The task as the body of a reduction over tasks.
template <class Rule> struct body {
    Rule rule;

    template <class Pool> std::size_t operator()(Pool& pool, std::size_t num) const {
        while (num >= rule.first_split) {
            pool.enq(num - 2);
            --num;
        }
        return rule.solve(num);
    }
};

// The argument that p asks for.
std::size_t argument(const parameters& p);

outcome checked(const parameters& p, double seconds, std::size_t answer);

// Both variants on a runtime whose harness sums partial results per thread: waiting(num, rule) returns the answer, and
// summing(num, rule, where...) creates tasks that add their leaves.
template <class Forks, class Waiting, class Summing>
outcome run_variants(const parameters& p, const Waiting& waiting, const Summing& summing) {
    const std::size_t num = argument(p);
    return with_rule(p, [&](auto rule) {
        if (p.variant == "wait") {
            const auto [seconds, answer] = timed_call<Forks>(p, [&] { return waiting(num, rule); });
            return checked(p, seconds, answer);
        }
        const auto [seconds, total] =
            summed_over_threads<std::size_t>(p, [&](auto&... where) { summing(num, rule, where...); });
        return checked(p, seconds, total);
    });
}

}  // namespace bench::fib
