// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HPCS Scalable Synthetic Compact Application 2, graph analysis (its public specification, version 2.2; Evans et al.,
// section 4.5): four kernels over one directed graph with weights.
//
//   kernel 1   generate random edges by R-MAT, eight for each vertex, and construct the graph
//   kernel 2   classify large sets: the edges with the greatest weight
//   kernel 3   extract a graph for each of them: the vertices that three edges reach from its end
//   kernel 4   betweenness centrality of all vertices, approximated by searches from some of them, by U. Brandes'
//              algorithm; edges whose weight is a multiple of eight are left out
//
// Differs from the specification: the generation is a part of kernel 1, and the number of sources of kernel 4 is a part
// of the size. The way back of kernel 4 reads the sums of the successors, so that no two threads write the same one.
// Every kernel is checked by other means than a search: by passes over the list of edges.
#pragma once

#include <bench/threads/graph.hpp>
#include <bench/threads/threads.hpp>

#include <optional>

namespace bench::threads::ssca2 {

struct problem {
    unsigned scale;
    std::size_t sources;                 // of kernel 4

    explicit problem(const parameters& p);
    std::size_t edges() const { return std::size_t{8} << scale; }
    static constexpr quarters shape{0.55, 0.1, 0.1};
};

// Kernel 2: the greatest weight of each group of vertices, then the edges that have the greatest of all.
class large_set {
public:
    explicit large_set(const graph& in);

    chunks parts() const { return {in_.vertices(), 8 * vertices_per_thread}; }
    void find_weight(std::size_t part);
    void find_edges(std::size_t part);
    // Of all parts, in their order.
    std::vector<edge> edges() const;

private:
    const graph& in_;
    std::atomic<std::uint32_t> greatest_{0};
    std::vector<std::vector<edge>> found_;
};

// Kernel 3: the vertices that three edges at most reach from the end of `from`.
std::vector<vertex> extracted(const graph& in, const edge& from);

// Kernel 4: one source after the other, level by level, forward and back again.
class centrality {
public:
    explicit centrality(const graph& in);

    void begin(vertex source);
    std::size_t parts() const { return levels_.parts().number(); }
    void visit(std::size_t part);
    bool advance();
    // The vertices of the last level that was not gone back through; false: only the source's level is left.
    bool go_back();
    std::size_t parts_back() const { return back_.number(); }
    void collect(std::size_t part);

    double sum() const;

private:
    const graph& in_;
    levels levels_;
    std::uint32_t depth_ = 0;
    std::vector<std::atomic<std::uint32_t>> depths_;
    std::vector<std::atomic<double>> paths_;
    std::vector<double> dependencies_;
    std::vector<double> centralities_;
    std::vector<vertex> order_;          // level after level
    std::vector<std::size_t> ends_;      // of the levels in it
    chunks back_{0, vertices_per_thread};
    std::size_t back_begin_ = 0;
};

struct found {
    double seconds[4] = {};              // by kernel
    std::uint64_t started = 0;           // threads
    std::vector<edge> large;
    std::vector<std::size_t> extracted;  // vertices, for each edge of `large`
    double centrality_sum = 0;
    std::vector<vertex> sources;
};

std::vector<vertex> chosen_sources(const problem& of, const graph& in);
outcome checked(const problem& of, const edge_list& edges, const graph& made, const found& result);

template <class Face> outcome measured(const parameters& p) {
    const problem of(p);
    found result;
    std::optional<edge_list> edges;
    std::optional<graph> made;
    const auto each = [&result](std::size_t parts, const auto& f) {
        Face::each(parts, f);
        result.started += parts;
    };
    Face::run(p, [&] {
        result.seconds[0] = time_seconds([&] {
            edges.emplace(generated_edges<Face>(of.scale, of.edges(), problem::shape));
            made.emplace(built_graph<Face>(*edges, graph::directions::forward));
        });
        result.started = 3 * edges->parts().number();
        result.seconds[1] = time_seconds([&] {
            large_set all(*made);
            each(all.parts().number(), [&all](std::size_t part) { all.find_weight(part); });
            each(all.parts().number(), [&all](std::size_t part) { all.find_edges(part); });
            result.large = all.edges();
        });
        result.extracted.resize(result.large.size());
        result.seconds[2] = time_seconds([&] {
            each(result.large.size(), [&](std::size_t index) {
                result.extracted[index] = extracted(*made, result.large[index]).size();
            });
        });
        result.sources = chosen_sources(of, *made);
        centrality all(*made);
        result.seconds[3] = time_seconds([&] {
            for (const vertex source : result.sources) {
                all.begin(source);
                do each(all.parts(), [&all](std::size_t part) { all.visit(part); });
                while (all.advance());
                while (all.go_back())
                    each(all.parts_back(), [&all](std::size_t part) { all.collect(part); });
            }
        });
        result.centrality_sum = all.sum();
    });
    return checked(of, *edges, *made, result);
}

}  // namespace bench::threads::ssca2
