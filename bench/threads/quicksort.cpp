// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes of quicksort and the check; see quicksort.hpp.
#include <bench/threads/quicksort.hpp>

#include <bench/harness/figure.hpp>
#include <bench/harness/size.hpp>
#include <bench/harness/sorting.hpp>

namespace bench::threads {
namespace {

constexpr size_part parts[] = {{"ELEMENTS", 1, 1'000'000'000}};

std::uint64_t count(const parameters& p) { return size_numbers(quicksort_description, p, parts)[0]; }

std::uint64_t threads_for(std::uint64_t elements) { return 2 * (elements - 1); }

const micro_description micro = {
    .headline = "thread_ns", .headline_title = "ns/thread",
    .figures = {seconds_over("Quicksort without a cut-off", "elements", "elements", 1e-5)},
};

}  // namespace

const kernel_description quicksort_description = {
    .name = "quicksort",
    .sizes = {.quick = "1000,10000,50000", .paper = "10000,100000,1000000", .tiny = "100", .check = "500"},
    .variants = variants,
    .memory_bytes =
        [](const parameters& p, runtime_family family) { return memory_bytes(p, family, threads_for(count(p))); },
    .micro = &micro, .threads = true,
};

namespace quicksort {

input generated(const parameters& p) { return bench::quicksort::random_input(count(p)); }

outcome checked(const input& sorted, double seconds) {
    const std::uint64_t started = threads_for(sorted.elements.size());
    return with_thread_measures(sorted_outcome(seconds, started, sorted.elements, sorted.checksum), "elements",
                                sorted.elements.size());
}

}  // namespace quicksort
}  // namespace bench::threads
