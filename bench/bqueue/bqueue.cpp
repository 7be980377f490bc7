// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes, variants and measures of bqueue; see bqueue.hpp.
#include <bench/bqueue/bqueue.hpp>

#include <bench/harness/figure.hpp>
#include <bench/harness/size.hpp>

#include <bit>
#include <string>

namespace bench {
namespace {

// The bounds of teff::bqueue.
constexpr std::uint64_t max_capacity = std::uint64_t{1} << 20;
constexpr size_part parts[] = {{"CAPACITY", 2, max_capacity},
                               {"BATCH", 1, max_capacity / 2},
                               {"ITEMS", 2, 1'000'000'000'000}};

std::vector<variant_description> variants(runtime_family family) {
    if (family != runtime_family::teff) return {};
    constexpr unsigned least_threads = 2;
    return {{"ping_pong", true, least_threads}, {"stream", true, least_threads}};
}

std::uint64_t memory_bytes(const parameters& p, runtime_family) {
    constexpr std::uint64_t slot_bytes = 16, queue_bytes = 1024;
    return (std::uint64_t{16} << 20) + p.threads * (bqueue::sizes(p).capacity * slot_bytes + queue_bytes);
}

constexpr const char* headline = has_time_stamp_counter ? "hand_over_cycles" : "hand_over_ns";

figure_description by_batch(const char* title, double capacity) {
    return {.form = figure_description::shape::lines, .title = title,
            .measured = headline, .measured_title = step_unit_title, .across = "batch", .across_title = "batch",
            .where = "capacity", .equals = capacity, .least = 1, .by_variant = true};
}

const micro_description micro = {
    .headline = headline, .headline_title = step_unit,
    .figures = {by_batch("Handing an item over through a B-queue of 64 places", 64),
                by_batch("Handing an item over through a B-queue of 1024 places", 1024)},
    .variants_differ = true, .own_threads = true,
};

}  // namespace

// The first of the quick sizes is the default of XQueue's queues.
const kernel_description bqueue_description = {
    .name = "bqueue",
    .sizes = {.quick = "64x16x1000000,64x1x1000000,64x4x1000000,64x32x1000000,"
                       "1024x16x1000000,1024x64x1000000,1024x256x1000000",
              .paper = "64x16x50000000,1024x16x50000000,1024x64x50000000,1024x256x50000000", .tiny = "64x16x1000",
              .check = "64x16x5000"},
    .variants = variants, .memory_bytes = memory_bytes, .micro = &micro,
};

namespace bqueue {

sizes::sizes(const parameters& p) {
    const std::vector<std::uint64_t> numbers = size_numbers(bqueue_description, p, parts);
    capacity = numbers[0];
    batch = numbers[1];
    items = numbers[2] / 2 * 2;          // ping-pong hands over two in each round trip
    if (!std::has_single_bit(capacity) || !std::has_single_bit(batch) || batch > capacity / 2)
        throw usage_error("--size " + p.size +
                          ": bqueue takes powers of two as CAPACITY and BATCH, and at most half of CAPACITY as BATCH");
}

outcome checked(const parameters& p, double seconds, std::uint64_t right) {
    const sizes wanted(p);
    const std::uint64_t sent = wanted.items * (p.threads / 2);
    const auto text = [](std::uint64_t items) { return std::to_string(items) + " items as they were sent"; };
    outcome result = exact_outcome(seconds, sent, text(right), text(sent));
    // All pairs work at the same time, each on its own items.
    const double nanoseconds = seconds * 1e9 / static_cast<double>(wanted.items);
    result.measures = {{"capacity", measure::role::given, {static_cast<double>(wanted.capacity)}},
                       {"batch", measure::role::given, {static_cast<double>(wanted.batch)}},
                       {"hand_over_ns", measure::role::found, {nanoseconds}},
                       {"throughput", measure::role::found, {static_cast<double>(sent) / seconds}}};
    if (const double cycles = cycles_per_nanosecond(); cycles > 0)
        result.measures.push_back({"hand_over_cycles", measure::role::found, {nanoseconds * cycles}});
    return result;
}

}  // namespace bqueue
}  // namespace bench
