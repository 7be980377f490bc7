// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes of parallel_for and the check; see parallel_for.hpp.
#include <bench/parallel_for/parallel_for.hpp>

#include <bench/harness/size.hpp>

#include <string>

namespace bench {
namespace {

constexpr size_part parts[] = {{"ITERATIONS", 1, 1'000'000'000}, {"LOOPS", 1, 1'000'000'000}};

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    const std::uint64_t iterations = size_numbers(parallel_for_description, p, parts)[0];
    return iterations * sizeof(std::uint64_t) + task_memory_bytes(p, family, 0, 0);
}

}  // namespace

const kernel_description parallel_for_description = {
    .name = "parallel_for",
    .sizes = {.quick = "1000x30000", .paper = "1000x300000", .tiny = "1000x100", .check = "1000x50"},
    .memory_bytes = memory_bytes, .waits = true,
};

namespace parallel_for {

input made(const parameters& p) {
    const auto numbers = size_numbers(parallel_for_description, p, parts);
    static const volatile std::uint64_t prime = 2'147'483'647;
    return {std::vector<std::uint64_t>(numbers[0]), numbers[1], prime};
}

outcome checked(const input& run, double seconds) {
    const std::uint64_t prime = run.prime;
    std::uint64_t sum = 0;
    std::uint64_t wrong = 0;
    for (std::size_t index = 0; index < run.iterations(); ++index) {
        std::uint64_t power = 1;
        for (unsigned factors = 0; factors < 8; ++factors) power = power * (index % prime) % prime;
        wrong += run.sums[index] != power * run.loops;
        sum += run.sums[index];
    }
    const auto text = [sum](std::uint64_t count) {
        return std::to_string(count) + " wrong sums in " + std::to_string(sum);
    };
    return exact_outcome(seconds, run.iterations() * run.loops, text(wrong), text(0));
}

}  // namespace parallel_for
}  // namespace bench
