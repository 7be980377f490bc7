// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes and expected answers of fib; see fib.hpp.
#include <bench/fib/fib.hpp>

#include <bench/harness/size.hpp>

#include <algorithm>

namespace bench {
namespace {

constexpr std::size_t largest_argument = 60;

std::vector<variant_description> variants(runtime_family family) { return usual_variants(family, true); }

std::size_t first_split(const parameters& p) { return static_cast<std::size_t>(std::max(p.cutoff, 2L)); }

struct known_number {
    std::uint64_t number;
    std::uint64_t tasks;
};

// Counts up from zero: computes the number itself and the number of tasks in its tree.
known_number known(const parameters& p) {
    const std::size_t num = fib::argument(p);
    std::uint64_t number = 0;
    std::uint64_t next_number = 1;
    std::uint64_t tasks = 1;
    std::uint64_t previous_tasks = 1;
    for (std::size_t index = 0; index < num; ++index) {
        next_number += number;
        number = next_number - number;
        const std::uint64_t more = index + 1 < first_split(p) ? 1 : tasks + previous_tasks;
        previous_tasks = tasks;
        tasks = more;
    }
    return {number, tasks};
}

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    return task_memory_bytes(p, family, known(p).tasks, sizeof(std::size_t));
}

}  // namespace

const kernel_description fib_description = {
    .name = "fib", .sizes = {.quick = "40", .paper = "40", .tiny = "12", .check = "20"}, .has_cutoff = true,
    .variants = variants, .memory_bytes = memory_bytes, .waits = true, .openmp = kind_sizes{"29,38@20", "32,42@20"},
    .mpi = kind_sizes{"38", "42"},
};

namespace fib {

std::size_t argument(const parameters& p) { return integer_size(fib_description, p, 0, largest_argument); }

outcome checked(const parameters& p, double seconds, std::size_t answer) {
    const auto [number, tasks] = known(p);
    return exact_outcome(seconds, tasks, std::to_string(answer), std::to_string(number));
}

}  // namespace fib
}  // namespace bench
