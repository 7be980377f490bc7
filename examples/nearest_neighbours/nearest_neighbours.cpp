// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the nearest of many points for each of many queries, by a k-d tree.
//
// What to learn: fork_join, for a function that calls itself on the parts of its data. The tree is built in place: the
// point in the middle along one axis goes to the middle of the array, and the two halves are built at the same time.
// The functions work on separate halves, so they need no lock. The recursion forks down to single points: a fork costs
// a comparison while all workers are busy, so there is no size below which the code would have to become serial.
//
// The queries are a loop that adds something up: parallel_reduce.
#include "../arguments.hpp"

#include <teff/fork_join.hpp>
#include <teff/parallel_reduce.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <limits>
#include <random>
#include <span>
#include <tuple>
#include <vector>

namespace {

using point = std::array<long, 3>;

long squared_distance(const point& a, const point& b) {
    long sum = 0;
    for (std::size_t axis = 0; axis != a.size(); ++axis)
        sum += (a[axis] - b[axis]) * (a[axis] - b[axis]);
    return sum;
}

std::size_t next_axis(std::size_t axis) { return (axis + 1) % std::tuple_size_v<point>; }

// Orders the points so that the one in the middle divides them along the axis, and each half is such a tree, too.
void build(std::span<point> points, std::size_t axis) {
    if (points.size() <= 1)
        return;
    const std::size_t middle = points.size() / 2;
    std::nth_element(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(middle), points.end(),
                     [axis](const point& a, const point& b) { return a[axis] < b[axis]; });
    teff::fork_join([=] { build(points.first(middle), next_axis(axis)); },
                    [=] { build(points.subspan(middle + 1), next_axis(axis)); });
}

// The least of `best` and the squared distances of the points from `query`.
long nearest(std::span<const point> points, std::size_t axis, const point& query, long best) {
    if (points.empty())
        return best;
    const std::size_t middle = points.size() / 2;
    best = std::min(best, squared_distance(points[middle], query));
    const long beyond = query[axis] - points[middle][axis];
    const auto before = points.first(middle), after = points.subspan(middle + 1);
    best = nearest(beyond < 0 ? before : after, next_axis(axis), query, best);
    // The other half is farther away than the plane that divides the two.
    if (beyond * beyond < best)
        best = nearest(beyond < 0 ? after : before, next_axis(axis), query, best);
    return best;
}

std::vector<point> random_points(long count, unsigned seed) {
    std::mt19937_64 random(seed);
    std::vector<point> made(static_cast<std::size_t>(count));
    for (point& each : made)
        for (long& coordinate : each)
            coordinate = static_cast<long>(random() >> 44);  // below 2^20
    return made;
}

}  // namespace

int main(int argc, char** argv) {
    arguments given(argc, argv, "nearest_neighbours [POINTS [QUERIES]]");
    std::vector<point> points = random_points(given.number("POINTS", 1, 50'000'000, 300'000), 1);
    const std::vector<point> queries = random_points(given.number("QUERIES", 1, 50'000'000, 300'000), 2);
    given.end();

    constexpr long far = std::numeric_limits<long>::max();
    build(points, 0);
    const std::span<const point> tree = points;
    const long sum = teff::parallel_reduce(
        teff::blocked_range(queries.begin(), queries.end()), 0L,
        [=](const auto& part, long so_far) {
            for (const point& query : part)
                so_far += nearest(tree, 0, query, far);
            return so_far;
        },
        std::plus<>());

    // The first queries once more, by looking at all points.
    const auto some = std::span(queries).first(std::min<std::size_t>(queries.size(), 10));
    for (const point& query : some) {
        long best = far;
        for (const point& each : points)
            best = std::min(best, squared_distance(each, query));
        if (nearest(tree, 0, query, far) != best) {
            std::fprintf(stderr, "nearest_neighbours: the tree does not find the nearest point\n");
            return 1;
        }
    }
    std::printf("%zu points, %zu queries, sum of the squared distances: %ld\n", points.size(), queries.size(), sum);
}
