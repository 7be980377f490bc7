// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs and expected answers of tsp; see tsp.hpp.
#include <bench/tsp/tsp.hpp>

#include <bench/harness/random.hpp>
#include <bench/harness/size.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace bench {
namespace {

// The number of tasks of the tree for each number of cities from min_cities on. Found by a run of the serial
// recursion whose set of tours was complete.
constexpr std::uint64_t tasks_of_tree[] = {3,       12,        82,         414,       3'040,
                                           24'729,  210'563,   2'247'552,  25'159'042, 314'559'089};
static_assert(std::size(tasks_of_tree) == tsp::max_cities - tsp::min_cities + 1);

std::vector<variant_description> variants(runtime_family family) { return usual_variants(family, false); }

// First-in-first-out queues may hold a large part of the tree at once; other queues hold one path through it per
// thread.
std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    const int cities = tsp::problem_of(p).cities;
    const std::uint64_t base = std::uint64_t{64} << 20;
    return keeps_levels(p, family) ? base + tsp::recorded_tasks(cities) / 4 * sizeof(tsp::task) : base;
}

}  // namespace

const kernel_description tsp_description = {
    .name = "tsp", .sizes = {.quick = "11", .paper = "12", .tiny = "6", .check = "7"},
    .variants = variants, .memory_bytes = memory_bytes,
};

namespace tsp {

problem problem_of(const parameters& p) {
    return make_problem(static_cast<int>(integer_size(tsp_description, p, min_cities, max_cities)));
}

problem make_problem(int cities) {
    problem made;
    made.cities = cities;
    seeded_random random(static_cast<std::uint64_t>(cities));
    for (std::size_t from = 0; from < static_cast<std::size_t>(cities); ++from) {
        for (std::size_t to = 0; to < from; ++to) {
            const auto weight = static_cast<std::int32_t>(1 + random.below(999));
            made.weight[from][to] = weight;
            made.weight[to][from] = weight;
        }
    }
    return made;
}

task first_task(const problem& input) {
    task first;
    for (int vertex = 0; vertex < input.cities; ++vertex) {
        const auto index = static_cast<std::size_t>(vertex);
        first.open[index] = static_cast<std::uint16_t>((bit_of(input.cities) - 1) & ~bit_of(vertex));
        first.other_end[index] = static_cast<std::uint8_t>(vertex);
    }
    return first;
}

std::int32_t held_karp(const problem& input) {
    // cost[set][last]: the cheapest path that starts at the last city, visits the cities of `set`, a subset of the
    // others, and ends at `last`, which is in the set.
    const auto others = static_cast<std::size_t>(input.cities - 1);
    const auto& weight = input.weight;
    constexpr std::int32_t unknown = std::numeric_limits<std::int32_t>::max() / 2;
    std::vector<std::vector<std::int32_t>> cost(std::size_t{1} << others, std::vector<std::int32_t>(others, unknown));
    for (std::size_t city = 0; city < others; ++city) cost[std::size_t{1} << city][city] = weight[others][city];
    for (std::size_t set = 1; set < cost.size(); ++set) {
        for (std::size_t last = 0; last < others; ++last) {
            for (std::size_t next = 0; next < others; ++next) {
                if ((set >> next & 1) != 0) continue;
                std::int32_t& longer = cost[set | std::size_t{1} << next][next];
                longer = std::min(longer, cost[set][last] + weight[last][next]);
            }
        }
    }
    std::int32_t cheapest = unknown;
    for (std::size_t last = 0; last < others; ++last)
        cheapest = std::min(cheapest, cost.back()[last] + weight[last][others]);
    return cheapest;
}

std::uint64_t number_of_tours(int cities) {
    std::uint64_t tours = 1;
    for (int factor = 3; factor < cities; ++factor) tours *= static_cast<std::uint64_t>(factor);
    return tours;
}

std::uint64_t recorded_tasks(int cities) { return tasks_of_tree[cities - min_cities]; }

outcome checked(const problem& input, double seconds, const result& found) {
    const auto text = [](std::int32_t cheapest, std::uint64_t tours, std::uint64_t tasks) {
        return "cheapest " + std::to_string(cheapest) + " of " + std::to_string(tours) + " tours, " +
               std::to_string(tasks) + " tasks";
    };
    return exact_outcome(seconds, found.tasks, text(found.cheapest, found.tours, found.tasks),
                         text(held_karp(input), number_of_tours(input.cities), recorded_tasks(input.cities)));
}

}  // namespace tsp
}  // namespace bench
