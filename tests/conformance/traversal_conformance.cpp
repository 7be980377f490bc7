// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traversals of large graphs, on every scheduler: each visit hands over a task for every node that is new, so tasks
// make tasks as deep as the graph is. However deep that is, no stack may overflow.
#include <tests/conformance/each_choice.hpp>
#include <tests/detached_coroutine.hpp>

#include <teff/arena.hpp>
#include <teff/coroutine.hpp>
#include <teff/dataflow.hpp>
#include <teff/fork_join.hpp>
#include <teff/spawn.hpp>
#include <teff/task_group.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <random>
#include <utility>
#include <vector>

namespace {

using namespace conformance;

// The neighbours of all nodes one after the other, and where those of each node begin.
struct graph {
    std::vector<std::uint32_t> first, neighbours;
    std::size_t size() const { return first.size() - 1; }
};

graph made_of(std::size_t nodes, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges) {
    graph made;
    made.first.resize(nodes + 1);
    for (const auto& [from, to] : edges) {
        ++made.first[from + 1];
        ++made.first[to + 1];
    }
    for (std::size_t i = 0; i < nodes; ++i)
        made.first[i + 1] += made.first[i];
    made.neighbours.resize(2 * edges.size());
    std::vector<std::uint32_t> next(made.first.begin(), made.first.end() - 1);
    for (const auto& [from, to] : edges) {
        made.neighbours[next[from]++] = to;
        made.neighbours[next[to]++] = from;
    }
    return made;
}

graph path(std::uint32_t nodes) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t i = 1; i < nodes; ++i)
        edges.emplace_back(i - 1, i);
    return made_of(nodes, edges);
}
graph star(std::uint32_t nodes) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t i = 1; i < nodes; ++i)
        edges.emplace_back(0, i);
    return made_of(nodes, edges);
}
// Connected, with four edges for each node.
graph random(std::uint32_t nodes) {
    std::mt19937 numbers(1);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t i = 1; i < nodes; ++i) {
        edges.emplace_back(i, numbers() % i);
        edges.emplace_back(i, numbers() % nodes);
    }
    return made_of(nodes, edges);
}
// A binary tree as deep as it has inner nodes: each has a leaf and the next one.
graph deep_tree(std::uint32_t depth) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t i = 0; i < depth; ++i) {
        edges.emplace_back(2 * i, 2 * i + 1);
        edges.emplace_back(2 * i, 2 * i + 2);
    }
    return made_of(2 * depth + 1, edges);
}

class marks {
public:
    explicit marks(const graph& of) : seen_(of.size()) { seen_[0] = true; }
    // True for the first call only.
    bool set(std::uint32_t node) { return !seen_[node].exchange(true); }
    void visit(std::uint32_t) { ++visits_; }
    std::size_t visits() const { return visits_; }

private:
    std::vector<std::atomic<bool>> seen_;
    std::atomic<std::size_t> visits_{0};
};

// Visits every node once. `hand_over(f)` makes a task of `f`.
template <class H>
struct traversal {
    const graph& of;
    marks& seen;
    H hand_over;

    void visit(std::uint32_t node) {
        seen.visit(node);
        for (std::uint32_t i = of.first[node]; i < of.first[node + 1]; ++i)
            if (const std::uint32_t next = of.neighbours[i]; seen.set(next))
                hand_over([this, next] { visit(next); });
    }
};
template <class H>
traversal(const graph&, marks&, H) -> traversal<H>;

// ThreadSanitizer's own stack of calls is shorter than ours.
#if defined(TEFF_THREAD_SANITIZER)
constexpr std::uint32_t most = 500;
constexpr long levels = 2'000;
#else
constexpr std::uint32_t most = sanitized ? 20'000 : 100'000;
constexpr long levels = sanitized ? 10'000 : 100'000;
#endif

class traversal_on : public each_choice {
protected:
    static void SetUpTestSuite() { graphs_ = {path(most), star(most), random(most), deep_tree(most)}; }
    static void TearDownTestSuite() { graphs_.clear(); }
    // Calls f(graph, marks) for each graph in teams of 1, 2 and 8 threads.
    template <class F>
    void expect_each_node_once(F f) {
        for (std::size_t which = 0; which < graphs_.size(); ++which) {
            for (const long threads : {1L, 2L, 8L}) {
                SCOPED_TRACE(testing::Message() << "graph " << which << ", " << threads << " threads");
                marks seen(graphs_[which]);
                teff::execute(with_threads(threads), [&] { f(graphs_[which], seen); });
                EXPECT_EQ(seen.visits(), graphs_[which].size());
            }
        }
    }

    inline static std::vector<graph> graphs_;
};

INSTANTIATE_TEST_SUITE_P(, traversal_on, testing::ValuesIn(all_rows()), row_names());

TEST_P(traversal_on, by_tasks_of_a_group) {
    expect_each_node_once([](const graph& of, marks& seen) {
        teff::task_group group;
        traversal all{of, seen, [&](auto task) { group.run(task); }};
        all.visit(0);
        group.wait();
    });
}

TEST_P(traversal_on, by_tasks_of_a_group_ten_times_as_deep) {
    const graph of = path(10 * most);
    for (const long threads : {1L, 2L, 8L}) {
        marks seen(of);
        teff::execute(with_threads(threads), [&] {
            teff::task_group group;
            traversal all{of, seen, [&](auto task) { group.run(task); }};
            all.visit(0);
            group.wait();
        });
        EXPECT_EQ(seen.visits(), of.size());
    }
}

// The handles are kept until the end.
TEST_P(traversal_on, by_spawned_tasks) {
    expect_each_node_once([](const graph& of, marks& seen) {
        std::mutex lock;
        std::deque<teff::handle<void>> handles;
        traversal all{of, seen, [&](auto task) {
                          teff::handle<void> made = teff::spawn(task);
                          const std::lock_guard guard(lock);
                          handles.push_back(std::move(made));
                      }};
        all.visit(0);
        for (std::size_t next = 0;; ++next) {
            teff::handle<void>* each = nullptr;
            {
                const std::lock_guard guard(lock);
                if (next == handles.size())
                    break;
                each = &handles[next];
            }
            each->get();
        }
    });
}

TEST_P(traversal_on, by_tasks_of_an_arena) {
    expect_each_node_once([this](const graph& of, marks& seen) {
        teff::arena in(with_threads(2));
        traversal all{of, seen, [&](auto task) { in.enqueue(task); }};
        all.visit(0);
        in.wait();
    });
}

TEST_P(traversal_on, by_fibers) {
    expect_each_node_once([](const graph& of, marks& seen) {
        traversal all{of, seen, [](auto task) { teff::begin(task); }};
        teff::sync([&] { all.visit(0); });
    });
}

using detached = tests::detached_coroutine<>;

template <class F>
detached resume_in(teff::task_group& group, F task) {
    co_await teff::schedule(group);
    task();
}

TEST_P(traversal_on, by_coroutines) {
    expect_each_node_once([](const graph& of, marks& seen) {
        teff::task_group group;
        traversal all{of, seen, [&](auto task) { resume_in(group, task); }};
        all.visit(0);
        group.wait();
    });
}

// Where functions wait for each other, the calls really nest. They continue on further stacks.
class deep_waits_on : public each_choice {
protected:
    template <class F>
    void expect_all_levels(F f) {
        for (const long threads : {1L, 2L, 8L}) {
            SCOPED_TRACE(threads);
            long reached = 0;
            teff::execute(with_threads(threads), [&] { reached = f(); });
            EXPECT_EQ(reached, levels);
        }
    }
};

INSTANTIATE_TEST_SUITE_P(, deep_waits_on, testing::ValuesIn(all_rows()), row_names());

[[gnu::noinline]] long forked(long left) {
    if (left == 0)
        return 0;
    const auto [below, one] = teff::fork_join([=] { return forked(left - 1); }, [] { return 1L; });
    return below + one;
}
TEST_P(deep_waits_on, in_forks) { expect_all_levels([] { return forked(levels); }); }

// The second function may be taken by another thread, and recurses there.
[[gnu::noinline]] long forked_second(long left) {
    if (left == 0)
        return 0;
    const auto [one, below] = teff::fork_join([] { return 1L; }, [=] { return forked_second(left - 1); });
    return below + one;
}
TEST_P(deep_waits_on, in_second_functions_of_forks) { expect_all_levels([] { return forked_second(levels); }); }

void in_group(long left, long& sum) {
    if (left == 0)
        return;
    teff::task_group group;
    group.run([&] { in_group(left - 1, sum); });
    group.wait();
    ++sum;
}
TEST_P(deep_waits_on, in_tasks_of_groups) {
    expect_all_levels([] {
        long sum = 0;
        in_group(levels, sum);
        return sum;
    });
}

void spawn_deeper(long& sum, long left) {
    if (left != 0)
        teff::spawn([left](long* mine) { spawn_deeper(*mine, left - 1); }, teff::inout(&sum));
    teff::sync();
    ++sum;
}
TEST_P(deep_waits_on, in_dataflow_tasks) {
    expect_all_levels([] {
        long sum = -1;
        spawn_deeper(sum, levels);
        return sum;
    });
}

// Two recursions beside each other: while one waits, its thread may run parts of the other.
TEST_P(deep_waits_on, in_groups_that_share_threads) {
    expect_all_levels([] {
        long left = 0;
        long right = 0;
        teff::fork_join([&] { in_group(levels / 2, left); }, [&] { in_group(levels / 2, right); });
        return left + right;
    });
}

}  // namespace
