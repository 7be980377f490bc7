// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value that ranks share (teff/mpi/shared_best.hpp): it reaches every rank while tasks run, and a search that prunes
// by it finds the optimum however late it comes. Part of the program of reduction_test.cpp, so each case has to leave
// the ranks in agreement.
#include <teff/mpi.hpp>
#include <teff/schedulers.hpp>

#include <gtest/gtest.h>

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using teff::mpi::reduce_tasks;
using teff::mpi::shared_best;

int rank_of_process() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}
int ranks_of_program() {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

TEST(mpi_shared_best, keeps_the_better_value) {
    shared_best<long> most(5);
    EXPECT_FALSE(most.improve(5));
    EXPECT_FALSE(most.improve(-7));
    EXPECT_EQ(most.get(), 5);
    EXPECT_FALSE(most.take_news());
    EXPECT_TRUE(most.improve(6));
    EXPECT_TRUE(most.take_news());
    EXPECT_FALSE(most.take_news());
    EXPECT_EQ(most.get(), 6);
    shared_best<double, std::less<double>> least(2.5);
    EXPECT_TRUE(least.improve(1.5));
    EXPECT_FALSE(least.improve(2));
    teff::mpi::writer to;
    least.write(to);
    ASSERT_EQ(to.bytes().size(), static_cast<std::size_t>(least.size()));
    shared_best<double, std::less<double>> other(2.5);
    teff::mpi::reader from(to.bytes().data(), to.bytes().size());
    other.read(from);
    EXPECT_EQ(other.get(), 1.5);
}

TEST(mpi_shared_best, keeps_the_best_of_several_threads) {
    constexpr int count = 4, times = 20'000;
    shared_best<int> best(-1);
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i)
        threads.emplace_back([&best, i] {
            for (int n = 0; n < times; ++n)
                best.improve(n * count + i);
        });
    for (std::thread& each : threads)
        each.join();
    EXPECT_EQ(best.get(), times * count - 1);
}

// A value of two parts, with an order of its own.
struct solution {
    float cost;
    std::int32_t name;
};
struct cheaper {
    bool operator()(const solution& one, const solution& other) const { return one.cost < other.cost; }
};

TEST(mpi_shared_best, of_all_ranks_is_known_to_each_at_the_end) {
    const int ranks = ranks_of_program();
    for (const auto& scheduler : teff::schedulers()) {
        shared_best<solution, cheaper> best({1e9F, -1});
        const auto body = [&best](auto&, int n) { return best.improve({static_cast<float>(1000 - n), n}) ? 1L : 0L; };
        // All ranks have the same numbers, so any of them may run the last one.
        std::vector<int> own(50);
        for (int i = 0; i < 50; ++i)
            own[static_cast<std::size_t>(i)] = i * ranks + rank_of_process();
        const long improvements = reduce_tasks(MPI_COMM_WORLD, body, teff::from_range, own,
                                               {.threads = 2, .scheduler = scheduler.name, .best = &best});
        EXPECT_GE(improvements, 1);
        EXPECT_EQ(best.get().name, 50 * ranks - 1) << scheduler.name;
    }
}

// Each rank has one task. That of rank 0 improves the value, and those of all others wait for it. Without messages that
// tell it, the case would not end.
TEST(mpi_shared_best, reaches_every_rank_while_tasks_run) {
    const int ranks = ranks_of_program();
    for (int round = 0; round < 20; ++round) {
        shared_best<long> best(0);
        const auto body = [&best](auto&, int rank) {
            if (rank == 0)
                best.improve(42);
            while (best.get() != 42)
                std::this_thread::yield();
            return 1;
        };
        const std::vector<int> own{rank_of_process()};
        EXPECT_EQ(reduce_tasks(MPI_COMM_WORLD, body, teff::from_range, own, {.threads = 1, .best = &best}), ranks);
    }
}

// The news goes to and fro: each rank improves the value when it has seen the one before it do so.
TEST(mpi_shared_best, passes_on_what_other_ranks_have_found) {
    const int ranks = ranks_of_program();
    constexpr int rounds = 3;
    shared_best<int> best(0);
    const auto body = [&best, ranks](auto&, int rank) {
        for (int round = 0; round < rounds; ++round) {
            const int turn = round * ranks + rank;
            while (best.get() < turn)
                std::this_thread::yield();
            best.improve(turn + 1);
        }
        return 1;
    };
    const std::vector<int> own{rank_of_process()};
    // As many workers as tasks, on every rank: wherever the tasks go, all run at once.
    EXPECT_EQ(reduce_tasks(MPI_COMM_WORLD, body, teff::from_range, own, {.threads = ranks, .best = &best}), ranks);
    EXPECT_EQ(best.get(), rounds * ranks);
}

// A tree of decisions: node `path` at some depth. The value of a leaf follows from its path, and no leaf is worth more
// than what its node promises.
struct choice {
    std::uint32_t depth;
    std::uint64_t path;

    std::uint64_t draw() const {
        std::uint64_t x = (path + 1) * 0x9e3779b97f4a7c15U + depth;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
        return (x ^ (x >> 27)) % 1000;
    }
};
constexpr std::uint32_t deepest = 12;

// The value of a path is the sum of its draws; each level adds less than 1000.
struct search {
    shared_best<std::int64_t>* best;
    std::uint64_t seed;

    struct node {
        choice where;
        std::int64_t value;
    };

    template <class Pool>
    std::int64_t operator()(Pool& pool, const node& from) const {
        if (from.where.depth == deepest) {
            best->improve(from.value);
            return 1;
        }
        if (from.value + std::int64_t{1000} * (deepest - from.where.depth) <= best->get())
            return 0;
        for (std::uint64_t branch = 0; branch < 3; ++branch) {
            const choice next{from.where.depth + 1, from.where.path * 3 + branch + seed};
            pool.enq(node{next, from.value + static_cast<std::int64_t>(next.draw())});
        }
        return 0;
    }
};

std::int64_t optimum(const search& rule, const search::node& from) {
    if (from.where.depth == deepest)
        return from.value;
    std::int64_t best = 0;
    for (std::uint64_t branch = 0; branch < 3; ++branch) {
        const choice next{from.where.depth + 1, from.where.path * 3 + branch + rule.seed};
        best = std::max(best, optimum(rule, {next, from.value + static_cast<std::int64_t>(next.draw())}));
    }
    return best;
}

TEST(mpi_shared_best, bounds_a_search_that_finds_the_optimum) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        shared_best<std::int64_t> best(0);
        const search rule{&best, seed};
        const search::node root{{0, 0}, 0};
        const std::int64_t leaves = reduce_tasks(MPI_COMM_WORLD, rule, root,
                                                 {.threads = 1 + static_cast<long>(seed % 2),
                                                  .scheduler = seed % 3 == 0 ? "blaze" : "demand",
                                                  .chunk = seed % 4 == 0 ? 1 : 64,
                                                  .random_victims = static_cast<long>(seed % 3),
                                                  .best = &best});
        EXPECT_GE(leaves, 1);
        EXPECT_EQ(best.get(), optimum(rule, root)) << "seed " << seed;
    }
}

TEST(mpi_shared_best, may_be_improved_although_a_task_throws) {
    shared_best<int> best(0);
    const auto body = [&best](auto&, int n) -> int {
        best.improve(n);
        if (n == 7)
            throw std::runtime_error("seven");
        return 1;
    };
    EXPECT_THROW(static_cast<void>(reduce_tasks(MPI_COMM_WORLD, body, 7, {.threads = 1, .best = &best})),
                 std::runtime_error);
    // The communicator can be used again.
    EXPECT_EQ(reduce_tasks(MPI_COMM_WORLD, body, 9, {.threads = 1, .best = &best}), 1);
    EXPECT_EQ(best.get(), 9);
}

TEST(mpi_shared_best, of_one_rank_alone_is_a_mistake_that_all_hear_of) {
    if (ranks_of_program() < 2)
        return;
    const auto body = [](auto&, int n) { return n; };
    shared_best<int> best(0);
    shared_best<double> longer(0);
    const bool is_first = rank_of_process() == 0;
    teff::mpi::shared_value* const of_others[] = {nullptr, &longer};
    for (teff::mpi::shared_value* other : of_others) {
        std::string text;
        try {
            static_cast<void>(
                reduce_tasks(MPI_COMM_WORLD, body, 1, {.threads = 1, .best = is_first ? &best : other}));
        } catch (const std::invalid_argument& error) {
            text = error.what();
        }
        EXPECT_EQ(text.substr(0, 46), "best: the ranks share values of different type");
    }
    EXPECT_EQ(reduce_tasks(MPI_COMM_WORLD, body, 1, {.threads = 1, .best = &best}), 1);
}

}  // namespace
