// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the programs over graphs share: random edges by R-MAT (D. Chakrabarti, Y. Zhan and C. Faloutsos, 2004), their
// graph with the edges of each vertex side by side, and the vertices of a breadth-first search level by level.
//
// All loops are over chunks of a fixed size, with a thread for each chunk (threads.hpp). So the number of threads does
// not depend on the number of workers.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace bench::threads {

using vertex = std::uint32_t;
constexpr vertex no_vertex = ~vertex{0};

struct edge {
    vertex from;
    vertex to;
    std::uint32_t weight;
};

struct neighbour {
    vertex to;
    std::uint32_t weight;
};

// How the next edge is found: in one of the quarters of the matrix of vertices, of which these three have the given
// probabilities, then in one of the quarters of that, and so on.
struct quarters {
    double upper_left;
    double upper_right;
    double lower_left;
};

// The chunks of a loop over `count` elements.
struct chunks {
    std::size_t count;
    std::size_t size;

    std::size_t number() const { return (count + size - 1) / size; }
    std::size_t begin(std::size_t index) const { return index * size; }
    std::size_t end(std::size_t index) const { return std::min(count, (index + 1) * size); }
};

constexpr std::size_t edges_per_thread = 4096;
constexpr std::size_t vertices_per_thread = 64;

// Random directed edges between 2^scale vertices, which may repeat; weights are 1 to 2^scale. Vertices are renumbered,
// so that those with many edges are not side by side. An edge depends on its number alone.
class edge_list {
public:
    edge_list(unsigned scale, std::size_t count, const quarters& shape, std::uint64_t seed);

    chunks parts() const { return {edges_.size(), edges_per_thread}; }
    void generate(std::size_t part);

    std::size_t vertices() const { return std::size_t{1} << scale_; }
    std::span<const edge> edges() const { return edges_; }

private:
    unsigned scale_;
    quarters shape_;
    std::uint64_t seed_;
    std::vector<edge> edges_;
};

template <class Face> edge_list generated_edges(unsigned scale, std::size_t count, const quarters& shape) {
    constexpr std::uint64_t seed = 500;
    edge_list made(scale, count, shape, seed);
    Face::each(made.parts().number(), [&made](std::size_t part) { made.generate(part); });
    return made;
}

// The edges that leave each vertex, side by side, in no particular order.
class graph {
public:
    enum class directions { forward, both };
    // `edges` must outlive the construction; it is complete after count() of all parts, place_vertices(), and place()
    // of all parts.
    graph(const edge_list& edges, directions wanted);

    void count(std::size_t part);
    void place_vertices();
    void place(std::size_t part);

    std::size_t vertices() const { return first_.size() - 1; }
    std::span<const neighbour> of(vertex from) const {
        return {neighbours_.data() + first_[from], neighbours_.data() + first_[from + 1]};
    }
    std::size_t edges() const { return neighbours_.size(); }

private:
    template <class F> void for_each_end(std::size_t part, const F& f);

    const edge_list& source_;
    directions wanted_;
    std::vector<std::atomic<std::uint64_t>> next_;   // while counting: the edges of a vertex; then: the next place
    std::vector<std::uint64_t> first_;
    std::vector<neighbour> neighbours_;
};

template <class Face> graph built_graph(const edge_list& edges, graph::directions wanted) {
    graph made(edges, wanted);
    const std::size_t parts = edges.parts().number();
    Face::each(parts, [&made](std::size_t part) { made.count(part); });
    made.place_vertices();
    Face::each(parts, [&made](std::size_t part) { made.place(part); });
    return made;
}

// The vertices of the current level of a search, and those of the next one, which threads add together.
class levels {
public:
    explicit levels(std::size_t vertices) : now_(vertices), next_(vertices) {}

    void start_at(vertex root) {
        now_[0] = root;
        count_ = 1;
    }
    chunks parts() const { return {count_, vertices_per_thread}; }
    std::span<const vertex> part(std::size_t index) const {
        return {now_.data() + parts().begin(index), now_.data() + parts().end(index)};
    }
    std::span<const vertex> all() const { return {now_.data(), count_}; }
    void add(std::span<const vertex> found) {
        // relaxed: the end of the threads orders the places and what is in them.
        const std::size_t first = added_.fetch_add(found.size(), std::memory_order_relaxed);
        std::copy(found.begin(), found.end(), next_.begin() + static_cast<std::ptrdiff_t>(first));
    }
    // False if there is no further level.
    bool advance() {
        std::swap(now_, next_);
        count_ = added_.exchange(0, std::memory_order_relaxed);
        return count_ != 0;
    }

private:
    std::vector<vertex> now_;
    std::vector<vertex> next_;
    std::size_t count_ = 0;
    std::atomic<std::size_t> added_{0};
};

// Collects what one thread finds, and adds it to the next level in groups.
class found_vertices {
public:
    explicit found_vertices(levels& to) : to_(to) {}
    ~found_vertices() { to_.add({found_, count_}); }
    found_vertices(const found_vertices&) = delete;
    found_vertices& operator=(const found_vertices&) = delete;

    void add(vertex one) {
        if (count_ == std::size(found_)) to_.add({found_, std::exchange(count_, 0)});
        found_[count_++] = one;
    }

private:
    levels& to_;
    std::size_t count_ = 0;
    vertex found_[128];
};

}  // namespace bench::threads
