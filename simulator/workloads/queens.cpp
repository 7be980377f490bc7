// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ways to place n queens so that none attacks another: a search tree of tasks without a cut-off.
#include <simulator/workloads/all.hpp>

#include <teff/fork_join.hpp>
#include <teff/reduce.hpp>
#include <teff/task_group.hpp>

#include <bit>

namespace simulator {
namespace {

// To find the safe columns of a row takes longer the more queens there are.
constexpr double first_ns = 60, queen_ns = 4;

// A bit for each column that is taken in the next row: by a queen above, or along a diagonal.
struct board {
    std::uint32_t columns = 0, left = 0, right = 0;
    unsigned rows = 0;

    std::uint32_t safe(unsigned size) const noexcept {
        work_ns(first_ns + queen_ns * rows);
        return ~(columns | left | right) & ((1U << size) - 1);
    }
    board with(std::uint32_t queen) const noexcept {
        return {columns | queen, (left | queen) << 1, (right | queen) >> 1, rows + 1};
    }
};
constexpr std::uint32_t lowest(std::uint32_t bits) noexcept { return bits & (~bits + 1); }

struct found {
    long solutions = 0;
    long boards = 0;
    found& operator+=(const found& more) noexcept {
        solutions += more.solutions;
        boards += more.boards;
        return *this;
    }
};

struct body {
    unsigned size;
    template <class Pool>
    found operator()(Pool& pool, const board& position) const {
        if (position.rows == size)
            return {1, 1};
        for (std::uint32_t safe = position.safe(size); safe != 0; safe &= safe - 1)
            pool.enq(position.with(lowest(safe)));
        return {0, 1};
    }
};

found forked(const board& position, unsigned size);

found children(const board& position, std::uint32_t columns, unsigned size) {
    if (std::has_single_bit(columns))
        return forked(position.with(columns), size);
    std::uint32_t upper = columns;
    for (int half = std::popcount(columns) / 2; half > 0; --half)
        upper &= upper - 1;
    auto [sum, more] = teff::fork_join([&, lower = columns ^ upper] { return children(position, lower, size); },
                                       [&] { return children(position, upper, size); });
    return sum += more;
}

found forked(const board& position, unsigned size) {
    if (position.rows == size)
        return {1, 1};
    const std::uint32_t safe = position.safe(size);
    found sum{0, 1};
    return safe == 0 ? sum : sum += children(position, safe, size);
}

found in_groups(const board& position, unsigned size) {
    if (position.rows == size)
        return {1, 1};
    found parts[16];
    unsigned count = 0;
    teff::task_group group;
    for (std::uint32_t safe = position.safe(size); safe != 0; safe &= safe - 1)
        group.run([&part = parts[count++], next = position.with(lowest(safe)), size] { part = in_groups(next, size); });
    group.wait();
    found sum{0, 1};
    for (const found& each : parts)
        sum += each;
    return sum;
}

constexpr long known[] = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184};

std::uint64_t checked(const found& all, long size) {
    return size < 16 && all.solutions == known[size] ? static_cast<std::uint64_t>(all.boards) : 0;
}

}  // namespace

std::uint64_t run_nqueens_reduce(const request& wanted) {
    const auto size = static_cast<unsigned>(wanted.size);
    return checked(
        teff::reduce_tasks({.threads = wanted.threads, .scheduler = wanted.scheduler}, body{size}, board{}),
        wanted.size);
}

std::uint64_t run_nqueens_forks(const request& wanted) {
    const auto size = static_cast<unsigned>(wanted.size);
    found all;
    teff::execute({.threads = wanted.threads, .scheduler = wanted.scheduler}, [&] { all = forked(board{}, size); });
    return checked(all, wanted.size);
}

std::uint64_t run_nqueens_groups(const request& wanted) {
    const auto size = static_cast<unsigned>(wanted.size);
    found all;
    teff::execute({.threads = wanted.threads, .scheduler = wanted.scheduler}, [&] { all = in_groups(board{}, size); });
    return checked(all, wanted.size);
}

}  // namespace simulator
