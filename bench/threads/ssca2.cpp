// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The four kernels of SSCA2 and their checks; see ssca2.hpp.
#include <bench/threads/ssca2.hpp>

#include <bench/harness/figure.hpp>
#include <bench/harness/random.hpp>
#include <bench/harness/size.hpp>

#include <cmath>
#include <numeric>

namespace bench::threads {
namespace {

constexpr size_part parts_of_size[] = {{"SCALE", 4, 28}, {"SOURCES", 1, 1 << 20}};
constexpr unsigned extracted_edges = 3;
constexpr std::uint32_t no_depth = ~std::uint32_t{0};

std::uint64_t needed_bytes(const parameters& p, runtime_family family) {
    const ssca2::problem of(p);
    const std::uint64_t bytes = of.edges() * (sizeof(edge) + sizeof(neighbour)) + (std::uint64_t{128} << of.scale);
    return bytes + memory_bytes(p, family, of.edges() / edges_per_thread + (std::size_t{1} << of.scale) / 64);
}

const micro_description micro = {
    .headline = "mteps", .headline_title = "MTEPS",
    .figures = {seconds_over("SSCA2: all kernels", "scale", "log2 of the vertices", 1e-4)},
};

}  // namespace

const kernel_description ssca2_description = {
    .name = "ssca2", .sizes = {.quick = "10x16,13x16", .paper = "10x256,13x256,16x256", .tiny = "6x2", .check = "8x8"},
    .variants = variants, .memory_bytes = needed_bytes, .micro = &micro, .threads = true,
};

namespace ssca2 {

problem::problem(const parameters& p) {
    const std::vector<std::uint64_t> numbers = size_numbers(ssca2_description, p, parts_of_size);
    scale = static_cast<unsigned>(numbers[0]);
    sources = numbers[1];
}

large_set::large_set(const graph& in) : in_(in), found_(parts().number()) {}

void large_set::find_weight(std::size_t part) {
    std::uint32_t greatest = 0;
    for (std::size_t from = parts().begin(part); from < parts().end(part); ++from)
        for (const neighbour& each : in_.of(static_cast<vertex>(from))) greatest = std::max(greatest, each.weight);
    // relaxed: the end of the threads orders the result.
    std::uint32_t seen = greatest_.load(std::memory_order_relaxed);
    while (seen < greatest && !greatest_.compare_exchange_weak(seen, greatest, std::memory_order_relaxed)) {}
}

void large_set::find_edges(std::size_t part) {
    const std::uint32_t greatest = greatest_.load(std::memory_order_relaxed);
    for (std::size_t from = parts().begin(part); from < parts().end(part); ++from)
        for (const neighbour& each : in_.of(static_cast<vertex>(from)))
            if (each.weight == greatest) found_[part].push_back({static_cast<vertex>(from), each.to, each.weight});
}

std::vector<edge> large_set::edges() const {
    std::vector<edge> all;
    for (const std::vector<edge>& each : found_) all.insert(all.end(), each.begin(), each.end());
    return all;
}

std::vector<vertex> extracted(const graph& in, const edge& from) {
    std::vector<bool> is_found(in.vertices());
    std::vector<vertex> all = {from.to};
    is_found[from.to] = true;
    std::size_t level = 0;
    for (unsigned length = 0; length < extracted_edges; ++length) {
        const std::size_t end = all.size();
        for (; level < end; ++level) {
            for (const neighbour& each : in.of(all[level])) {
                if (is_found[each.to]) continue;
                is_found[each.to] = true;
                all.push_back(each.to);
            }
        }
    }
    return all;
}

namespace {

bool counts_in_kernel_4(std::uint32_t weight) { return weight % 8 != 0; }

}  // namespace

centrality::centrality(const graph& in)
    : in_(in), levels_(in.vertices()), depths_(in.vertices()), paths_(in.vertices()), dependencies_(in.vertices()),
      centralities_(in.vertices()) {}

// relaxed, here and below: the end of the threads orders one level before the next, and within a level only who claims
// a vertex first counts, and the sum of what is added to it.
void centrality::begin(vertex source) {
    for (std::atomic<std::uint32_t>& each : depths_) each.store(no_depth, std::memory_order_relaxed);
    for (std::atomic<double>& each : paths_) each.store(0, std::memory_order_relaxed);
    std::fill(dependencies_.begin(), dependencies_.end(), 0);
    depths_[source].store(0, std::memory_order_relaxed);
    paths_[source].store(1, std::memory_order_relaxed);
    depth_ = 0;
    levels_.start_at(source);
    order_ = {source};
    ends_ = {1};
}

void centrality::visit(std::size_t part) {
    found_vertices next(levels_);
    for (const vertex from : levels_.part(part)) {
        const double paths = paths_[from].load(std::memory_order_relaxed);
        for (const neighbour& each : in_.of(from)) {
            if (!counts_in_kernel_4(each.weight)) continue;
            std::uint32_t depth = no_depth;
            if (depths_[each.to].compare_exchange_strong(depth, depth_ + 1, std::memory_order_relaxed)) {
                next.add(each.to);
                depth = depth_ + 1;
            }
            if (depth == depth_ + 1) paths_[each.to].fetch_add(paths, std::memory_order_relaxed);
        }
    }
}

bool centrality::advance() {
    if (!levels_.advance()) return false;
    ++depth_;
    const std::span<const vertex> now = levels_.all();
    order_.insert(order_.end(), now.begin(), now.end());
    ends_.push_back(order_.size());
    return true;
}

bool centrality::go_back() {
    if (ends_.size() == 1) return false;
    const std::size_t end = ends_.back();
    ends_.pop_back();
    back_begin_ = ends_.back();
    back_.count = end - back_begin_;
    return true;
}

void centrality::collect(std::size_t part) {
    for (std::size_t place = back_.begin(part); place < back_.end(part); ++place) {
        const vertex from = order_[back_begin_ + place];
        const std::uint32_t depth = depths_[from].load(std::memory_order_relaxed);
        const double paths = paths_[from].load(std::memory_order_relaxed);
        double sum = 0;
        for (const neighbour& each : in_.of(from))
            if (counts_in_kernel_4(each.weight) && depths_[each.to].load(std::memory_order_relaxed) == depth + 1)
                sum += paths / paths_[each.to].load(std::memory_order_relaxed) * (1 + dependencies_[each.to]);
        dependencies_[from] = sum;
        centralities_[from] += sum;
    }
}

double centrality::sum() const { return std::accumulate(centralities_.begin(), centralities_.end(), 0.0); }

std::vector<vertex> chosen_sources(const problem& of, const graph& in) {
    constexpr std::uint64_t seed = 2009;
    seeded_random random(seed);
    std::vector<vertex> sources;
    for (std::size_t tries = 0; sources.size() < of.sources && tries < 64 * (of.sources + in.vertices()); ++tries)
        if (const auto source = static_cast<vertex>(random.below(in.vertices())); !in.of(source).empty())
            sources.push_back(source);
    return sources;
}

namespace {

// The least number of edges from `source` to each vertex, by passes over the list until nothing changes, or so often.
std::vector<std::uint32_t> distances(const edge_list& edges, vertex source, bool all_edges, unsigned most) {
    std::vector<std::uint32_t> found(edges.vertices(), no_depth);
    found[source] = 0;
    bool changes = true;
    for (std::uint32_t distance = 0; changes && distance < most; ++distance) {
        changes = false;
        for (const edge& each : edges.edges()) {
            if (found[each.from] != distance || found[each.to] != no_depth) continue;
            if (!all_edges && !counts_in_kernel_4(each.weight)) continue;
            found[each.to] = distance + 1;
            changes = true;
        }
    }
    return found;
}

// The same for the same edges in any order.
template <class Edges> std::uint64_t checksum_of(const Edges& edges) {
    std::uint64_t sum = 0;
    for (const edge& each : edges)
        sum += seeded_random((std::uint64_t{each.from} << 32 | each.to) ^ seeded_random(each.weight).next()).next();
    return sum;
}

// The sum of all dependencies of a source is that of the inner vertices of the shortest paths to all others.
double expected_centrality(const edge_list& edges, const std::vector<vertex>& sources) {
    double sum = 0;
    for (const vertex source : sources)
        for (const std::uint32_t each : distances(edges, source, false, no_depth))
            if (each != no_depth && each != 0) sum += each - 1;
    return sum;
}

// The first kernel with a wrong result, in words.
std::string broken_kernel(const edge_list& edges, const graph& made, const found& result) {
    std::vector<edge> in_graph;
    for (vertex from = 0; from < made.vertices(); ++from)
        for (const neighbour& each : made.of(from)) in_graph.push_back({from, each.to, each.weight});
    if (in_graph.size() != edges.edges().size() || checksum_of(in_graph) != checksum_of(edges.edges()))
        return "kernel 1: other edges than those of the list";
    std::uint32_t greatest = 0;
    for (const edge& each : edges.edges()) greatest = std::max(greatest, each.weight);
    std::vector<edge> large;
    for (const edge& each : edges.edges())
        if (each.weight == greatest) large.push_back(each);
    if (large.size() != result.large.size() || checksum_of(large) != checksum_of(result.large))
        return "kernel 2: other edges than those with the greatest weight";
    for (std::size_t index = 0; index < large.size(); ++index) {
        const std::vector<std::uint32_t> near = distances(edges, result.large[index].to, true, extracted_edges);
        const auto count = static_cast<std::size_t>(
            std::count_if(near.begin(), near.end(), [](std::uint32_t each) { return each != no_depth; }));
        if (count != result.extracted[index]) return "kernel 3: other vertices than those that three edges reach";
    }
    const double expected = expected_centrality(edges, result.sources);
    if (!(std::fabs(result.centrality_sum - expected) <= 1e-9 * (1 + expected)))
        return "kernel 4: the centralities sum up to " + std::to_string(result.centrality_sum) + " instead of " +
               std::to_string(expected);
    return "valid";
}

}  // namespace

outcome checked(const problem& of, const edge_list& edges, const graph& made, const found& result) {
    const double seconds = std::accumulate(std::begin(result.seconds), std::end(result.seconds), 0.0);
    outcome all = exact_outcome(seconds, result.started, broken_kernel(edges, made, result), "valid");
    all.measures.push_back({"scale", measure::role::given, {static_cast<double>(of.scale)}});
    constexpr const char* names[] = {"kernel_1_seconds", "kernel_2_seconds", "kernel_3_seconds", "kernel_4_seconds"};
    for (std::size_t each = 0; each < std::size(names); ++each)
        all.measures.push_back({names[each], measure::role::found, {result.seconds[each]}});
    // The specification counts seven edges per vertex, as an eighth of them is left out.
    const double traversed = 7 * static_cast<double>(made.vertices()) * static_cast<double>(result.sources.size());
    all.measures.push_back({"mteps", measure::role::found, {traversed / result.seconds[3] / 1e6}});
    return all;
}

}  // namespace ssca2
}  // namespace bench::threads
