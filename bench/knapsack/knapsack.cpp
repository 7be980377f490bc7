// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Problems and expected answers of knapsack; see knapsack.hpp.
//
// Generated items are hard for a bound: all have nearly the same density, so many selections come close to the
// optimum. How many nodes remain nevertheless varies at random. For the sizes below, seeds were chosen that give the
// listed numbers of tasks, as counted by count_tasks().
#include <bench/knapsack/knapsack.hpp>

#include <bench/harness/input.hpp>
#include <bench/harness/random.hpp>
#include <bench/harness/size.hpp>

namespace bench {
namespace {

using knapsack::item;
using knapsack::problem;

struct generated_problem {
    int items;
    std::uint64_t seed;
    std::uint64_t tasks;
};

constexpr generated_problem generated_problems[] = {
    {44, 5, 12023452},
    {46, 5, 30091589},
};

std::vector<variant_description> variants(runtime_family family) {
    std::vector<variant_description> all = usual_variants(family, true);
    if (family != runtime_family::serial) all.push_back({"shared", false});
    return all;
}

// First-in-first-out queues may hold a large part of the tree at once; other queues hold one path through it per
// thread.
std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    const problem input = knapsack::problem_of(p);
    const std::uint64_t base = std::uint64_t{64} << 20;
    if (!keeps_levels(p, family)) return base;
    const std::uint64_t tasks = input.tasks != 0 ? input.tasks : std::uint64_t{100'000'000};
    return base + tasks / 4 * sizeof(knapsack::task);
}

// Items of equal density keep their input order, because the number of nodes depends on it.
void add_by_density(problem& input, item added) {
    const auto denser = [](item one, item other) {
        return std::int64_t{one.value} * other.weight > std::int64_t{other.value} * one.weight;
    };
    input.items.insert(std::upper_bound(input.items.begin(), input.items.end(), added, denser), added);
}

}  // namespace

const kernel_description knapsack_description = {
    .name = "knapsack", .sizes = {.quick = "46", .paper = "44", .tiny = "12", .check = "16"}, .has_input = true,
    .variants = variants, .memory_bytes = memory_bytes, .openmp = kind_sizes{"36,42@30", "44,46@34", true},
    .mpi = kind_sizes{"44", "46"},
};

namespace knapsack {

task first_task(const problem& input) { return {.room = input.capacity}; }

problem problem_of(const parameters& p) {
    if (!p.input.empty()) return read_problem(p.input);
    return make_problem(static_cast<int>(integer_size(knapsack_description, p, min_items, max_items)));
}

problem random_problem(int items, std::uint64_t seed) {
    seeded_random random(seed * 1000 + static_cast<std::uint64_t>(items));
    problem made;
    std::int32_t weights = 0;
    for (int index = 0; index < items; ++index) {
        const auto value = static_cast<std::int32_t>(5 + random.below(20));
        const auto weight = static_cast<std::int32_t>(2 * value - 2 + static_cast<std::int32_t>(random.below(4)));
        add_by_density(made, {value, weight});
        weights += weight;
    }
    made.capacity = static_cast<std::int32_t>(weights * 17 / 20);
    made.optimum = best_value(made);
    return made;
}

problem make_problem(int items) {
    for (const generated_problem& known : generated_problems) {
        if (known.items != items) continue;
        problem made = random_problem(items, known.seed);
        made.tasks = known.tasks;
        return made;
    }
    return random_problem(items, 1);
}

problem read_problem(const std::string& path) {
    input_reader reader(path);
    problem made;
    const long items = reader.integer("the number of items, 1 to 128", 1, max_items);
    made.capacity = static_cast<std::int32_t>(reader.integer("the capacity, 0 to 1000000", 0, largest_number));
    for (long index = 0; index < items; ++index) {
        const long value = reader.integer("a value, 0 to 1000000", 0, largest_number);
        const long weight = reader.integer("a weight, 1 to 1000000", 1, largest_number);
        add_by_density(made, {static_cast<std::int32_t>(value), static_cast<std::int32_t>(weight)});
    }
    made.optimum = best_value(made);
    return made;
}

std::int64_t best_value(const problem& input) {
    std::vector<std::int64_t> best(static_cast<std::size_t>(input.capacity) + 1);
    for (const item each : input.items) {
        const auto weight = static_cast<std::size_t>(each.weight);
        for (std::size_t room = best.size(); room-- > weight;)
            best[room] = std::max(best[room], best[room - weight] + each.value);
    }
    return best.back();
}

namespace {

std::uint64_t leaves_below(const problem& input, std::size_t next, std::int64_t room, std::int64_t value) {
    if (room < 0 || room == 0 || next == input.items.size()) return 1;
    const item densest = input.items[next];
    if (room * densest.value < (input.optimum - value) * densest.weight) return 1;
    return leaves_below(input, next + 1, room, value) +
           leaves_below(input, next + 1, room - densest.weight, value + densest.value);
}

}  // namespace

// Each task ends in one leaf of the tree of nodes.
std::uint64_t count_tasks(const problem& input) { return leaves_below(input, 0, input.capacity, 0); }

outcome checked(const parameters& p, const problem& input, double seconds, const result& found) {
    std::string answer = "value " + std::to_string(found.best);
    std::string expected = "value " + std::to_string(input.optimum);
    if (p.variant != "shared") {
        answer += ", " + std::to_string(found.tasks) + " tasks";
        expected += ", " + std::to_string(input.tasks != 0 ? input.tasks : count_tasks(input)) + " tasks";
    }
    return exact_outcome(seconds, found.tasks, std::move(answer), std::move(expected));
}

}  // namespace knapsack
}  // namespace bench
