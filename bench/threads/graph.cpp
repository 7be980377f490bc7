// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See graph.hpp.
#include <bench/threads/graph.hpp>

#include <bench/harness/random.hpp>

namespace bench::threads {

edge_list::edge_list(unsigned scale, std::size_t count, const quarters& shape, std::uint64_t seed)
    : scale_(scale), shape_(shape), seed_(seed), edges_(count) {}

namespace {

// One to one on the numbers below 2^scale: a multiplication by an odd number, and a shift that mixes the upper bits in.
vertex renumbered(vertex plain, unsigned scale) {
    const vertex mask = static_cast<vertex>((std::uint64_t{1} << scale) - 1);
    vertex mixed = plain * 0x9e3779b1U & mask;
    mixed ^= mixed >> (scale / 2 + 1);
    return mixed * 0x85ebca6bU & mask;
}

}  // namespace

void edge_list::generate(std::size_t part) {
    const double upper = shape_.upper_left + shape_.upper_right;
    for (std::size_t index = parts().begin(part); index < parts().end(part); ++index) {
        seeded_random random(seed_ + (static_cast<std::uint64_t>(index) << 20));
        edge made{0, 0, 0};
        for (unsigned bit = 0; bit < scale_; ++bit) {
            const double choice = random.unit();
            const bool is_lower = choice >= upper;
            const bool is_right = is_lower ? choice >= upper + shape_.lower_left : choice >= shape_.upper_left;
            made.from |= vertex{is_lower} << bit;
            made.to |= vertex{is_right} << bit;
        }
        made.from = renumbered(made.from, scale_);
        made.to = renumbered(made.to, scale_);
        made.weight = static_cast<std::uint32_t>(1 + random.below(vertices()));
        edges_[index] = made;
    }
}

graph::graph(const edge_list& edges, directions wanted)
    : source_(edges), wanted_(wanted), next_(edges.vertices()), first_(edges.vertices() + 1) {}

// f(from, to, weight) for each edge of the part, in the wanted directions. An edge from a vertex to itself counts once.
template <class F> void graph::for_each_end(std::size_t part, const F& f) {
    const chunks parts = source_.parts();
    for (const edge& each : source_.edges().subspan(parts.begin(part), parts.end(part) - parts.begin(part))) {
        f(each.from, each.to, each.weight);
        if (wanted_ == directions::both && each.from != each.to) f(each.to, each.from, each.weight);
    }
}

// relaxed, here and in place(): the end of the threads orders the counts, the places and what is in them.
void graph::count(std::size_t part) {
    for_each_end(part, [this](vertex from, vertex, std::uint32_t) {
        next_[from].fetch_add(1, std::memory_order_relaxed);
    });
}

void graph::place_vertices() {
    std::uint64_t place = 0;
    for (std::size_t each = 0; each < next_.size(); ++each) {
        first_[each] = place;
        place += next_[each].exchange(place, std::memory_order_relaxed);
    }
    first_.back() = place;
    neighbours_.resize(place);
}

void graph::place(std::size_t part) {
    for_each_end(part, [this](vertex from, vertex to, std::uint32_t weight) {
        neighbours_[next_[from].fetch_add(1, std::memory_order_relaxed)] = {to, weight};
    });
}

}  // namespace bench::threads
