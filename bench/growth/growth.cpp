// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes, the fit and the check of growth; see growth.hpp.
#include <bench/growth/growth.hpp>

#include <bench/harness/figure.hpp>
#include <bench/harness/size.hpp>

#include <cmath>

namespace bench {
namespace {

constexpr size_part parts[] = {{"GENERATIONS", 2, 3}, {"LEAST", 1, 1'000'000}, {"MOST", 2, 1'000'000}};

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    const growth::series all = growth::series_of(p);
    return generations::memory_bytes(p, family, {all.generations, all.tasks.back()});
}

figure_description exponents(const char* title, double generations) {
    return {.form = figure_description::shape::boxes, .title = title,
            .measured = "exponent", .measured_title = "exponent of the number of tasks",
            .where = "generations", .equals = generations, .by_variant = true};
}

const micro_description micro = {
    .headline = "exponent", .headline_title = "exponent",
    .figures = {exponents("Growth of the time, two generations", 2),
                exponents("Growth of the time, three generations", 3)},
    .variants_differ = true,
};

}  // namespace

const kernel_description growth_description = {
    .name = "growth",
    .sizes = {.quick = "2x1000x10000,3x300x3000", .paper = "2x1000x10000,3x1000x10000", .tiny = "2x10x20",
              .check = "3x20x100"},
    .variants = generations::variants, .memory_bytes = memory_bytes, .micro = &micro,
    .prepare = dataflow::allow_any_number_of_tasks, .dataflow = true,
};

namespace growth {

series series_of(const parameters& p) {
    const auto numbers = size_numbers(growth_description, p, parts);
    if (numbers[2] < 2 * numbers[1])
        throw usage_error("--size " + p.size + ": the greatest number of tasks is less than twice the least one");
    series all{numbers[0], {}};
    const double step = std::pow(10, 0.25);
    for (auto next = static_cast<double>(numbers[1]);; next *= step) {
        const auto tasks = static_cast<std::uint64_t>(std::llround(next));
        if (tasks >= numbers[2]) break;
        if (all.tasks.empty() || tasks != all.tasks.back()) all.tasks.push_back(tasks);
    }
    all.tasks.push_back(numbers[2]);
    return all;
}

double exponent(const std::vector<point>& points) {
    const auto count = static_cast<double>(points.size());
    double x_mean = 0;
    double y_mean = 0;
    for (const point& each : points) {
        x_mean += std::log(each.tasks) / count;
        y_mean += std::log(each.seconds) / count;
    }
    double covariance = 0;
    double variance = 0;
    for (const point& each : points) {
        const double x = std::log(each.tasks) - x_mean;
        covariance += x * (std::log(each.seconds) - y_mean);
        variance += x * x;
    }
    return covariance / variance;
}

outcome checked(const series& of, const std::vector<generations::found>& results) {
    std::string ran;
    std::string expected;
    std::vector<point> points;
    double seconds = 0;
    std::uint64_t tasks = 0;
    for (std::size_t index = 0; index < of.tasks.size(); ++index) {
        const generations::found result = index < results.size() ? results[index] : generations::found();
        const generations::shape shape{of.generations, of.tasks[index]};
        ran += std::to_string(result.tasks) + " ";
        expected += std::to_string(shape.all_tasks()) + " ";
        points.push_back({static_cast<double>(of.tasks[index]), result.seconds});
        seconds += result.seconds;
        tasks += result.tasks;
    }
    outcome told = exact_outcome(seconds, tasks, ran + "tasks", expected + "tasks");
    told.measures = {
        {"generations", measure::role::given, {static_cast<double>(of.generations)}},
        {"exponent", measure::role::found, {exponent(points)}},
        {"greatest_seconds", measure::role::found, {points.back().seconds}},
    };
    return told;
}

}  // namespace growth
}  // namespace bench
