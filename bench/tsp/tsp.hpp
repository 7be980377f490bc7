// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Travelling salesman by a decision tree over edges, without pruning (Blaze-Tasks, section 5.1).
//
// The problem is a complete undirected graph, given as a symmetric matrix of weights. A task holds a partial decision
// by value: which edges are still open, which paths the included edges form, and their cost. One step first settles
// what the decisions force (a vertex has exactly two tour edges; no edge may close a cycle before the last). Then it
// searches the matrix for the vertex that would lose most without its cheapest open edge, as Little, Murty, Sweeney
// and Karel (1963) choose, and branches on that edge: one child excludes it, the other includes it.
//
// Nothing is pruned by cost, so the work is the same in whatever order the tree is traversed. Every tour of n cities
// is reached by exactly one sequence of decisions, so a complete run finds (n-1)!/2 tours. This checks the whole
// tree; Held and Karp's dynamic programming (1962) checks the cheapest tour independently.
//
// Differs from the paper, which states neither its graph nor its branching rule: ours takes 25,159,042 tasks for 12
// cities, a fifth of them dead ends, where the paper reports 20,582,108. Rejected: Little's directed matrix with
// merged rows, which needs twice the tasks for the same tours if the weights are symmetric.
#pragma once

#include <bench/harness/kernel.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <limits>

namespace bench::tsp {

inline constexpr int min_cities = 4;
inline constexpr int max_cities = 13;

struct problem {
    int cities = 0;
    std::array<std::array<std::int32_t, max_cities>, max_cities> weight{};
};

// One node of the decision tree: a cache line that every runtime copies by value.
struct task {
    std::array<std::uint16_t, max_cities> open{};      // open[u] has bit v: edge u-v is neither included nor excluded
    std::array<std::uint8_t, max_cities> degree{};     // included edges at a vertex, at most 2
    std::array<std::uint8_t, max_cities> other_end{};  // of the path that ends at a vertex; the vertex itself if none
    std::int32_t cost = 0;                             // of the included edges
    std::uint32_t included = 0;
};
static_assert(sizeof(task) <= 64);

struct edge {
    int from = 0;
    int to = 0;
};

enum class verdict : std::uint8_t { tour, dead_end, branch };

// The sum over a finished part of the tree. The default value is neutral.
struct result {
    std::int32_t cheapest = std::numeric_limits<std::int32_t>::max();
    std::uint64_t tours = 0;
    std::uint64_t tasks = 0;

    result& operator+=(const result& other) {
        cheapest = other.cheapest < cheapest ? other.cheapest : cheapest;
        tours += other.tours;
        tasks += other.tasks;
        return *this;
    }
};

inline unsigned bit_of(int vertex) { return 1U << static_cast<unsigned>(vertex); }

// Removes edge u-v from the open edges, whether or not it was open.
inline void close(task& node, int u, int v) {
    node.open[static_cast<unsigned>(u)] &= static_cast<std::uint16_t>(~bit_of(v));
    node.open[static_cast<unsigned>(v)] &= static_cast<std::uint16_t>(~bit_of(u));
}

inline void count_edge_at(task& node, int vertex) {
    const auto index = static_cast<unsigned>(vertex);
    if (++node.degree[index] < 2) {
        return;
    }
    for (unsigned rest = node.open[index]; rest != 0; rest &= rest - 1) {
        close(node, vertex, std::countr_zero(rest));
    }
}

// Includes the open edge u-v in the tour, and closes the edges that this rules out.
inline void include(const problem& input, task& node, int u, int v) {
    node.cost += input.weight[static_cast<unsigned>(u)][static_cast<unsigned>(v)];
    ++node.included;
    close(node, u, v);
    const int head = node.other_end[static_cast<unsigned>(u)];
    const int tail = node.other_end[static_cast<unsigned>(v)];
    node.other_end[static_cast<unsigned>(head)] = static_cast<std::uint8_t>(tail);
    node.other_end[static_cast<unsigned>(tail)] = static_cast<std::uint8_t>(head);
    count_edge_at(node, u);
    count_edge_at(node, v);
    if (static_cast<int>(node.included) < input.cities - 1) {
        close(node, head, tail);
    }
}

// Includes every edge that a vertex cannot do without. Returns false if some vertex can no longer get its two edges.
inline bool settle(const problem& input, task& node) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (int vertex = 0; vertex < input.cities; ++vertex) {
            const auto index = static_cast<unsigned>(vertex);
            while (node.degree[index] < 2) {
                const unsigned open = node.open[index];
                const unsigned without_first = open & (open - 1);
                const unsigned spare = node.degree[index] == 1 ? without_first : without_first & (without_first - 1);
                if (open == 0 || (node.degree[index] == 0 && without_first == 0)) {
                    return false;
                }
                if (spare != 0) {
                    break;
                }
                include(input, node, vertex, std::countr_zero(open));
                changed = true;
            }
        }
    }
    return true;
}

// Among the cheapest open edges of all vertices, the one whose vertex has the largest extra cost for its second
// cheapest.
inline edge choose_edge(const problem& input, const task& node) {
    constexpr std::int32_t unknown = std::numeric_limits<std::int32_t>::max();
    edge chosen;
    std::int32_t largest_regret = -1;
    for (int vertex = 0; vertex < input.cities; ++vertex) {
        const auto& row = input.weight[static_cast<unsigned>(vertex)];
        std::int32_t cheapest = unknown;
        std::int32_t second = unknown;
        int nearest = 0;
        for (unsigned rest = node.open[static_cast<unsigned>(vertex)]; rest != 0; rest &= rest - 1) {
            const int other = std::countr_zero(rest);
            const std::int32_t weight = row[static_cast<unsigned>(other)];
            if (weight < cheapest) {
                second = cheapest;
                cheapest = weight;
                nearest = other;
            } else if (weight < second) {
                second = weight;
            }
        }
        if (second != unknown && second - cheapest > largest_regret) {
            largest_regret = second - cheapest;
            chosen = {vertex, nearest};
        }
    }
    return chosen;
}

// The work of one task. `branch_on` is set if the verdict is `branch`.
inline verdict advance(const problem& input, task& node, edge& branch_on) {
    if (!settle(input, node)) {
        return verdict::dead_end;
    }
    if (static_cast<int>(node.included) == input.cities) {
        return verdict::tour;
    }
    branch_on = choose_edge(input, node);
    return verdict::branch;
}

// The child that excludes `decision`.
inline task excluding(const task& node, edge decision) {
    task child = node;
    close(child, decision.from, decision.to);
    return child;
}

inline result leaf(verdict reached, const task& node) {
    if (reached == verdict::tour) return {.cheapest = node.cost, .tours = 1, .tasks = 1};
    return {.tasks = 1};
}

// One task: creates a task by create(child) for the subtree without an edge, and continues with the subtree that
// includes it, until it ends in a leaf. So there are as many tasks as leaves.
template <class Create> result walk(const problem& input, task node, const Create& create) {
    edge decision;
    verdict reached;
    while ((reached = advance(input, node, decision)) == verdict::branch) {
        create(excluding(node, decision));
        include(input, node, decision.from, decision.to);
    }
    return leaf(reached, node);
}

// The task as the body of a reduction over tasks.
struct body {
    const problem& input;

    template <class Pool> result operator()(Pool& pool, const task& node) const {
        return walk(input, node, [&pool](const task& child) { pool.enq(child); });
    }
};

// A generated graph with the number of cities that p asks for, from min_cities to max_cities.
problem problem_of(const parameters& p);

// A graph with `cities` cities, generated from a fixed seed.
problem make_problem(int cities);

task first_task(const problem& input);

// The cost of the cheapest tour, by dynamic programming over sets of cities.
std::int32_t held_karp(const problem& input);

// (cities - 1)! / 2.
std::uint64_t number_of_tours(int cities);

// The number of tasks of the tree of make_problem(cities).
std::uint64_t recorded_tasks(int cities);

// Compares a run on make_problem(cities) with the independent answers.
outcome checked(const problem& input, double seconds, const result& found);

// On a runtime whose harness sums the results of tasks that do not wait; Result is tsp::result.
template <class Result> outcome run_on_tasks(const parameters& p) {
    const problem input = problem_of(p);
    const auto [seconds, found] = summed_over_tasks<Result>(
        p, first_task(input), [&](const task& node, const auto& create) { return walk(input, node, create); });
    return checked(input, seconds, found);
}

}  // namespace bench::tsp
