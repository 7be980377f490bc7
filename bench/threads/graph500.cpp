// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search, and the validation of its result; see graph500.hpp.
#include <bench/threads/graph500.hpp>

#include <bench/harness/figure.hpp>
#include <bench/harness/random.hpp>
#include <bench/harness/size.hpp>

#include <numeric>

namespace bench::threads {
namespace {

constexpr size_part parts[] = {{"SCALE", 4, 30}, {"KEYS", 1, 1024}};

std::uint64_t needed_bytes(const parameters& p, runtime_family family) {
    const graph500::problem of(p);
    // An edge in the list, and in the graph at both ends; a vertex in the graph, in a search and in its validation.
    const std::uint64_t bytes = of.edges() * (sizeof(edge) + 2 * sizeof(neighbour)) + (std::uint64_t{64} << of.scale);
    return bytes + memory_bytes(p, family, of.edges() / edges_per_thread + (std::size_t{1} << of.scale) / 64);
}

const micro_description micro = {
    .headline = "mteps", .headline_title = "MTEPS",
    .figures = {seconds_over("Graph500: construction and searches", "scale", "log2 of the vertices", 1e-4),
                {.form = figure_description::shape::lines,
                 .title = "Graph500: edges per second",
                 .measured = "mteps",
                 .measured_title = "million",
                 .across = "scale",
                 .across_title = "log2 of the vertices"}},
};

}  // namespace

const kernel_description graph500_description = {
    .name = "graph500", .sizes = {.quick = "10x8,14x8", .paper = "12x64,16x64,20x64", .tiny = "6x2", .check = "10x4"},
    .variants = variants, .memory_bytes = needed_bytes, .micro = &micro, .threads = true,
};

namespace graph500 {

problem::problem(const parameters& p) {
    const std::vector<std::uint64_t> numbers = size_numbers(graph500_description, p, parts);
    scale = static_cast<unsigned>(numbers[0]);
    keys = numbers[1];
}

std::vector<vertex> search_keys(const problem& of, const graph& in) {
    constexpr std::uint64_t seed = 2010;
    seeded_random random(seed);
    std::vector<vertex> keys;
    std::vector<bool> is_taken(in.vertices());
    for (std::size_t tries = 0; keys.size() < of.keys && tries < 64 * in.vertices(); ++tries) {
        const auto key = static_cast<vertex>(random.below(in.vertices()));
        const std::span<const neighbour> near = in.of(key);
        const bool has_edge =
            std::any_of(near.begin(), near.end(), [key](const neighbour& each) { return each.to != key; });
        if (!has_edge || is_taken[key]) continue;
        is_taken[key] = true;
        keys.push_back(key);
    }
    return keys;
}

search::search(const graph& in, vertex key) : in_(in), key_(key), levels_(in.vertices()), parents_(in.vertices()) {
    // relaxed, here and below: the end of the threads orders one level before the next, and within a level only who is
    // first counts.
    for (std::atomic<vertex>& each : parents_) each.store(no_vertex, std::memory_order_relaxed);
    parents_[key].store(key, std::memory_order_relaxed);
    levels_.start_at(key);
}

void search::visit(std::size_t part) {
    found_vertices next(levels_);
    for (const vertex from : levels_.part(part)) {
        for (const neighbour& each : in_.of(from)) {
            std::atomic<vertex>& parent = parents_[each.to];
            vertex expected = no_vertex;
            if (parent.load(std::memory_order_relaxed) == no_vertex &&
                parent.compare_exchange_strong(expected, from, std::memory_order_relaxed))
                next.add(each.to);
        }
    }
}

std::vector<vertex> search::parents() const {
    std::vector<vertex> copied(parents_.size());
    for (std::size_t each = 0; each < copied.size(); ++each)
        copied[each] = parents_[each].load(std::memory_order_relaxed);
    return copied;
}

namespace {

constexpr std::uint32_t no_level = ~std::uint32_t{0};

// The depth of each vertex in the tree of parents; empty if a vertex's way to the key does not end.
std::vector<std::uint32_t> tree_levels(vertex key, const std::vector<vertex>& parents) {
    std::vector<std::uint32_t> levels(parents.size(), no_level);
    levels[key] = 0;
    std::vector<vertex> way;
    for (vertex each = 0; each < parents.size(); ++each) {
        if (parents[each] == no_vertex) continue;
        way.clear();
        vertex at = each;
        while (levels[at] == no_level) {
            if (way.size() > parents.size() || parents[at] == no_vertex) return {};
            way.push_back(at);
            at = parents[at];
        }
        for (std::uint32_t level = levels[at]; !way.empty(); way.pop_back()) levels[way.back()] = ++level;
    }
    return levels;
}

// The number of vertices that edges join with the key, found without a search: by sets that are united.
std::size_t component_size(const edge_list& edges, vertex key) {
    std::vector<vertex> set(edges.vertices());
    std::iota(set.begin(), set.end(), vertex{0});
    const auto representative = [&set](vertex of) {
        while (set[of] != of) of = set[of] = set[set[of]];
        return of;
    };
    for (const edge& each : edges.edges()) set[representative(each.from)] = representative(each.to);
    std::size_t size = 0;
    for (vertex each = 0; each < set.size(); ++each) size += representative(each) == representative(key) ? 1 : 0;
    return size;
}

}  // namespace

const char* broken_check(const edge_list& edges, vertex key, const std::vector<vertex>& parents,
                         std::uint64_t& edges_found) {
    edges_found = 0;
    const std::vector<std::uint32_t> levels = tree_levels(key, parents);
    if (levels.empty() || parents[key] != key) return "the parents are no tree";
    std::size_t in_tree = 0;
    for (vertex each = 0; each < parents.size(); ++each) {
        if (parents[each] == no_vertex) continue;
        ++in_tree;
        if (each != key && levels[each] != levels[parents[each]] + 1)
            return "an edge of the tree does not lead to the next level";
    }
    std::vector<bool> is_joined(parents.size());
    for (const edge& each : edges.edges()) {
        const std::uint32_t from = levels[each.from];
        const std::uint32_t to = levels[each.to];
        if ((from == no_level) != (to == no_level) || (from != no_level && (from > to ? from - to : to - from) > 1))
            return "an edge leads over more than one level";
        if (from != no_level) ++edges_found;
        if (parents[each.from] == each.to) is_joined[each.from] = true;
        if (parents[each.to] == each.from) is_joined[each.to] = true;
    }
    if (in_tree != component_size(edges, key)) return "the tree has not all vertices of the component";
    for (vertex each = 0; each < parents.size(); ++each)
        if (each != key && parents[each] != no_vertex && !is_joined[each])
            return "a vertex has a parent without an edge between them";
    return nullptr;
}

void found::add(const edge_list& edges, const search& done, double seconds) {
    std::uint64_t edges_found = 0;
    const char* const now = broken_check(edges, done.key(), done.parents(), edges_found);
    if (broken == nullptr) broken = now;
    search_seconds += seconds;
    if (edges_found != 0) seconds_per_edge += seconds / static_cast<double>(edges_found);
    ++searches;
}

outcome checked(const problem& of, const found& result) {
    const char* const first_broken = result.searches == 0 ? "no vertex has an edge to another one" : result.broken;
    outcome made = exact_outcome(result.construction_seconds + result.search_seconds, result.started,
                                 first_broken == nullptr ? "valid" : first_broken, "valid");
    made.measures.push_back({"scale", measure::role::given, {static_cast<double>(of.scale)}});
    made.measures.push_back({"construction_seconds", measure::role::found, {result.construction_seconds}});
    if (result.searches != 0)
        made.measures.push_back(
            {"mteps", measure::role::found, {static_cast<double>(result.searches) / result.seconds_per_edge / 1e6}});
    return made;
}

}  // namespace graph500
}  // namespace bench::threads
