// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Countries, a village's step and the check of health; see health.hpp.
#include <bench/health/health.hpp>

#include <bench/harness/size.hpp>

#include <utility>

namespace bench {
namespace {

constexpr size_part size_parts[] = {{"LEVELS", 1, 12}, {"STEPS", 0, 1'000'000}};

std::size_t villages_in(std::uint64_t levels) {
    std::size_t count = 0;
    for (std::uint64_t level = 0; level < levels; ++level) count = count * health::branches + 1;
    return count;
}

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    const std::size_t villages = villages_in(size_numbers(health_description, p, size_parts)[0]);
    return villages * (sizeof(health::village) + health::inhabitants * sizeof(health::person)) +
           task_memory_bytes(p, family, villages, 4 * sizeof(void*));
}

// Probabilities: of falling ill, per person and step; of the two others, at the end of a person's assessment.
constexpr double falls_ill = 0.01;
constexpr double is_treated = 0.3;
constexpr double is_sent_up = 0.2;
constexpr unsigned steps_of_assessment = 3;
constexpr unsigned steps_of_treatment = 10;

struct known_result {
    unsigned levels;
    unsigned steps;
    health::totals happened;
};
// Found both by the recursion and by the loop below, which forks nothing.
constexpr known_result known_results[] = {
    {7, 730, {732050, 268407, 182348, 940603}},
    {8, 1000, {4009929, 1480590, 996574, 5231331}},
};

health::totals expected(unsigned levels, unsigned steps) {
    for (const known_result& each : known_results)
        if (each.levels == levels && each.steps == steps) return each.happened;
    health::country other(levels, steps);
    for (unsigned step = 0; step < steps; ++step)
        for (std::size_t number = other.villages(); number-- != 0;) other.live(number);
    return other.happened();
}

std::string text(const health::totals& happened) {
    return std::to_string(happened.fell_ill) + " fell ill, " + std::to_string(happened.treated) + " treated, " +
           std::to_string(happened.sent_up) + " sent up, " + std::to_string(happened.steps_waited) + " steps waited";
}

}  // namespace

const kernel_description health_description = {
    .name = "health", .sizes = {.quick = "7x730", .paper = "8x1000", .tiny = "3x10", .check = "4x50"},
    .memory_bytes = memory_bytes, .waits = true, .openmp = kind_sizes{"6x400,7x300@4", "7x730,8x1000@4", true},
};

namespace health {

std::size_t people::count() const {
    std::size_t all = 0;
    for (const person* one = first_; one != nullptr; one = one->next) ++all;
    return all;
}

country::country(unsigned levels, unsigned steps)
    : levels_(levels), steps_(steps), villages_(villages_in(levels)), persons_(villages_.size() * inhabitants) {
    std::size_t first = 0;
    std::size_t number = 0;
    for (unsigned level = levels; level > 0; --level) {
        // The staff doubles with every level.
        for (first = first_below(first); number < first; ++number) villages_[number].free_staff = 1U << level;
    }
    for (number = 0; number < villages_.size(); ++number) {
        village& here = villages_[number];
        here.random = seeded_random(number);
        for (std::size_t index = 0; index < inhabitants; ++index) {
            person& one = persons_[number * inhabitants + index];
            one.home = &here;
            here.healthy.add(&one);
        }
    }
    villages_[0].highest = true;
}

void country::live(std::size_t number) {
    village& here = villages_[number];
    const std::size_t below = first_below(number);
    for (std::size_t index = 0; below != villages_.size() && index < branches; ++index) {
        while (person* const one = villages_[below + index].sent_up.take()) here.waiting.add(one);
    }

    people now = std::exchange(here.treated, {});
    while (person* const one = now.take()) {
        if (--one->steps_left != 0) {
            here.treated.add(one);
            continue;
        }
        ++here.free_staff;
        ++here.happened.treated;
        one->home->healthy.add(one);
    }

    now = std::exchange(here.assessed, {});
    while (person* const one = now.take()) {
        if (--one->steps_left != 0) {
            here.assessed.add(one);
            continue;
        }
        const double luck = here.random.unit();
        if (luck < is_treated) {
            one->steps_left = steps_of_treatment;
            here.treated.add(one);
            continue;
        }
        ++here.free_staff;
        if (luck < is_treated + is_sent_up && !here.highest) {
            ++here.happened.sent_up;
            here.sent_up.add(one);
        } else {
            one->home->healthy.add(one);
        }
    }

    now = std::exchange(here.waiting, {});
    while (person* const one = now.take()) {
        if (here.free_staff == 0) {
            ++here.happened.steps_waited;
            here.waiting.add(one);
            continue;
        }
        --here.free_staff;
        one->steps_left = steps_of_assessment;
        here.assessed.add(one);
    }

    now = std::exchange(here.healthy, {});
    while (person* const one = now.take()) {
        const bool ill = here.random.unit() < falls_ill;
        here.happened.fell_ill += ill;
        (ill ? here.waiting : here.healthy).add(one);
    }
}

totals country::happened() const {
    totals sum;
    for (const village& each : villages_) {
        sum.fell_ill += each.happened.fell_ill;
        sum.treated += each.happened.treated;
        sum.sent_up += each.happened.sent_up;
        sum.steps_waited += each.happened.steps_waited;
    }
    return sum;
}

std::size_t country::population() const {
    std::size_t sum = 0;
    for (const village& each : villages_) {
        for (const people* some : {&each.healthy, &each.waiting, &each.assessed, &each.treated, &each.sent_up})
            sum += some->count();
    }
    return sum;
}

country generated(const parameters& p) {
    const std::vector<std::uint64_t> size = size_numbers(health_description, p, size_parts);
    return {static_cast<unsigned>(size[0]), static_cast<unsigned>(size[1])};
}

outcome checked(const country& lived, double seconds) {
    return exact_outcome(seconds, lived.villages() * lived.steps(), text(lived.happened()),
                         text(expected(lived.levels(), lived.steps())));
}

}  // namespace health
}  // namespace bench
