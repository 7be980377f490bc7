// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes, variants and measures of queue_throughput; see queue_throughput.hpp.
#include <bench/queue_throughput/queue_throughput.hpp>

#include <bench/harness/figure.hpp>
#include <bench/harness/size.hpp>

namespace bench {
namespace {

std::vector<variant_description> variants(runtime_family family) {
    if (family == runtime_family::openmp) return {};
    if (family == runtime_family::teff) return {{"spsc", true}};
    return {{"mpmc", true}};
}

std::uint64_t memory_bytes(const parameters& p, runtime_family) {
    queue_throughput::items(p);
    return (std::uint64_t{16} << 20) + p.threads * queue_throughput::capacity * 64;
}

const micro_description micro = {
    .headline = "throughput", .headline_title = "items/s",
    .figures = {{.form = figure_description::shape::lines, .title = "Items through queues, by threads",
                 .measured = "throughput", .measured_title = "items per second",
                 .across = "threads", .across_title = "threads", .least = 1}},
    .variants_differ = true, .by_threads = true, .own_threads = true,
};

}  // namespace

const kernel_description queue_throughput_description = {
    .name = "queue_throughput", .sizes = {.quick = "4000000", .paper = "100000000", .tiny = "10000", .check = "5000"},
    .variants = variants, .memory_bytes = memory_bytes, .micro = &micro,
};

namespace queue_throughput {

std::uint64_t items(const parameters& p) {
    return integer_size(queue_throughput_description, p, 1, 1'000'000'000'000);
}

roles::roles(const parameters& p, bool in_pairs)
    : producers(p.threads / 2), consumers(in_pairs ? producers : p.threads - producers) {
    // Equal shares on both sides: the total is a multiple of the number of producers and of the number of consumers.
    const std::uint64_t multiple = in_pairs ? producers : std::uint64_t{producers} * consumers;
    const std::uint64_t total = std::max<std::uint64_t>(items(p) / multiple, 1) * multiple;
    items_per_producer = total / producers;
    items_per_consumer = total / consumers;
}

outcome checked(double seconds, std::uint64_t count, const taken_items& taken) {
    const auto text = [](std::uint64_t number, std::uint64_t sum) {
        return std::to_string(number) + " items, sum " + std::to_string(sum);
    };
    outcome result = exact_outcome(seconds, taken.count, text(taken.count, taken.sum),
                                   text(count, count % 2 == 0 ? count / 2 * (count - 1) : (count - 1) / 2 * count));
    result.measures = {{"throughput", measure::role::found, {static_cast<double>(count) / seconds}}};
    return result;
}

}  // namespace queue_throughput
}  // namespace bench
