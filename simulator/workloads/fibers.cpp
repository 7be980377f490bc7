// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that start a fiber for each piece of work (Evans et al., sections 4.4 to 4.6): short loops over arrays, and
// breadth-first searches of a random graph.
#include <simulator/workloads/all.hpp>

#include <teff/base/atomic.hpp>
#include <teff/fork_join.hpp>
#include <teff/threads.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace simulator {
namespace {

using vertex = std::uint32_t;

// Edges by R-MAT with the quarters of Graph500, 16 for each vertex, which lead both ways.
class random_graph {
public:
    explicit random_graph(unsigned scale) : first_((std::size_t{1} << scale) + 1), ends_(std::size_t{32} << scale) {
        std::vector<vertex> from, to;
        std::uint64_t state = 500;
        for (std::size_t i = 0; i < ends_.size() / 2; ++i) {
            vertex row = 0, column = 0;
            for (unsigned level = 0; level < scale; ++level) {
                state = state * 6364136223846793005U + 1442695040888963407U;
                const std::uint64_t drawn = (state >> 33) % 100;
                row = 2 * row + (drawn >= 76 ? 1 : 0);
                column = 2 * column + ((drawn >= 57 && drawn < 76) || drawn >= 95 ? 1 : 0);
            }
            from.insert(from.end(), {row, column});
            to.insert(to.end(), {column, row});
        }
        for (const vertex each : from)
            ++first_[each + 1];
        for (std::size_t i = 1; i < first_.size(); ++i)
            first_[i] += first_[i - 1];
        std::vector<std::size_t> next(first_);
        for (std::size_t i = 0; i < from.size(); ++i)
            ends_[next[from[i]]++] = to[i];
    }
    std::size_t vertices() const noexcept { return first_.size() - 1; }
    std::span<const vertex> of(vertex from) const noexcept {
        return {ends_.data() + first_[from], ends_.data() + first_[from + 1]};
    }

private:
    std::vector<std::size_t> first_;
    std::vector<vertex> ends_;
};

// One search, level by level, with a fiber for each group of vertices of a level.
class search {
public:
    explicit search(const random_graph& in) : in_(in), is_found_(in.vertices()), now_(in.vertices()), next_(now_) {}

    // Returns the number of edges that lead away from the vertices found.
    std::uint64_t run() {
        constexpr std::size_t group = 64;
        now_[0] = 0;
        // relaxed, as all of this class: the ends of the fibers order everything.
        is_found_[0].store(1, std::memory_order_relaxed);
        for (std::size_t count = 1; count != 0; count = added_.exchange(0, std::memory_order_relaxed)) {
            teff::coforall(std::size_t{0}, (count + group - 1) / group, [this, count](std::size_t part) {
                visit({now_.data() + part * group, now_.data() + std::min(count, (part + 1) * group)});
            });
            std::swap(now_, next_);
        }
        return edges_.load(std::memory_order_relaxed);
    }

private:
    void visit(std::span<const vertex> part) {
        constexpr double edge_ns = 1;
        std::uint64_t edges = 0;
        std::vector<vertex> found;
        for (const vertex from : part) {
            for (const vertex to : in_.of(from))
                if (is_found_[to].load(std::memory_order_relaxed) == 0 &&
                    is_found_[to].exchange(1, std::memory_order_relaxed) == 0)
                    found.push_back(to);
            edges += in_.of(from).size();
        }
        work_ns(edge_ns * static_cast<double>(edges));
        edges_.fetch_add(edges, std::memory_order_relaxed);
        std::copy(found.begin(), found.end(),
                  next_.data() + added_.fetch_add(found.size(), std::memory_order_relaxed));
    }

    const random_graph& in_;
    std::vector<teff::atomic<std::uint32_t>> is_found_;
    std::vector<vertex> now_, next_;
    teff::atomic<std::size_t> added_{0};
    teff::atomic<std::uint64_t> edges_{0};
};

}  // namespace

// Every edge leads from a vertex to one that is reached as well.
std::uint64_t run_search(const request& wanted) {
    static const random_graph in(static_cast<unsigned>(wanted.size));
    static std::uint64_t expected = 0;
    search one(in);
    std::uint64_t edges = 0;
    teff::execute({.threads = wanted.threads, .scheduler = wanted.scheduler}, [&] { edges = one.run(); });
    if (expected == 0)
        expected = edges;
    return edges == expected ? edges : 0;
}

// Each repetition takes so long on one thread, in equal parts.
std::uint64_t run_stream(const request& wanted) {
    constexpr int repetitions = 20;
    constexpr double repetition_ns = 3'200'000;
    const double part_ns = repetition_ns / static_cast<double>(wanted.size);
    teff::execute({.threads = wanted.threads, .scheduler = wanted.scheduler}, [&] {
        for (int i = 0; i < repetitions; ++i)
            teff::coforall(0L, wanted.size, [part_ns](long) { work_ns(part_ns); });
    });
    return repetitions;
}

}  // namespace simulator
