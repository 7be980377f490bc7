// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graph500, "Search" (the specification at graph500.org; Evans et al., section 4.6): construct a graph of random edges,
// then search it breadth-first from several keys.
//
//   kernel 1   from the list of edges to a graph, in which each edge leads both ways
//   kernel 2   a search from each key, level by level, with a thread for each group of 64 vertices of a level
//
// A search gives each vertex a parent. The result of every search is validated by the five checks of the specification,
// after the timed regions. The measure is the harmonic mean of the edges per second (TEPS) over the keys; an edge
// counts if it is in the component of the key.
#pragma once

#include <bench/threads/graph.hpp>
#include <bench/threads/threads.hpp>

#include <optional>

namespace bench::threads::graph500 {

struct problem {
    unsigned scale;
    std::size_t keys;

    explicit problem(const parameters& p);
    std::size_t edges() const { return std::size_t{16} << scale; }
    static constexpr quarters shape{0.57, 0.19, 0.19};
};

// Vertices with an edge to another vertex, all different if there are enough.
std::vector<vertex> search_keys(const problem& of, const graph& in);

// One breadth-first search.
class search {
public:
    search(const graph& in, vertex key);

    chunks parts() const { return levels_.parts(); }
    void visit(std::size_t part);
    bool advance() { return levels_.advance(); }

    vertex key() const { return key_; }
    // no_vertex where the search has not come. The parent of the key is the key.
    std::vector<vertex> parents() const;

private:
    const graph& in_;
    const vertex key_;
    levels levels_;
    std::vector<std::atomic<vertex>> parents_;
};

// The first of the five checks that fails, in words; nullptr if none does. `edges_found` is set to the edges in the
// component of the key.
const char* broken_check(const edge_list& edges, vertex key, const std::vector<vertex>& parents,
                         std::uint64_t& edges_found);

// The times, and the first check that failed.
struct found {
    double construction_seconds = 0;
    double search_seconds = 0;
    double seconds_per_edge = 0;         // summed over the keys
    std::uint64_t searches = 0;
    std::uint64_t started = 0;           // threads
    const char* broken = nullptr;

    void add(const edge_list& edges, const search& done, double seconds);
};

outcome checked(const problem& of, const found& result);

template <class Face> outcome measured(const parameters& p) {
    const problem of(p);
    found result;
    Face::run(p, [&] {
        const edge_list edges = generated_edges<Face>(of.scale, of.edges(), problem::shape);
        std::optional<graph> made;
        result.construction_seconds =
            time_seconds([&] { made.emplace(built_graph<Face>(edges, graph::directions::both)); });
        result.started = 2 * edges.parts().number();
        for (const vertex key : search_keys(of, *made)) {
            search one(*made, key);
            const double seconds = time_seconds([&] {
                do {
                    const std::size_t parts = one.parts().number();
                    Face::each(parts, [&one](std::size_t part) { one.visit(part); });
                    result.started += parts;
                } while (one.advance());
            });
            result.add(edges, one, seconds);
        }
    });
    return checked(of, result);
}

}  // namespace bench::threads::graph500
