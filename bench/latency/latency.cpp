// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes, variants and measures of latency; see latency.hpp.
#include <bench/latency/latency.hpp>

#include <bench/harness/figure.hpp>
#include <bench/harness/size.hpp>

namespace bench {
namespace {

std::uint64_t increments(const parameters& p) { return integer_size(latency_description, p, 4096, 1'000'000'000'000); }

std::vector<variant_description> variants(runtime_family family) {
    switch (family) {
    case runtime_family::serial:
        return {{"mutex", true}, {"semaphore", true}, {"spin_lock", true}, {"fetch_and_add", true}};
    case runtime_family::openmp:
        return {{"mutex", true}, {"fetch_and_add", true}};
    case runtime_family::tbb:
        return {{"mutex", true}, {"spin_lock", true}};
    case runtime_family::teff:
    case runtime_family::starpu:
    case runtime_family::boost_fiber:
        break;
    }
    return {};
}

std::uint64_t memory_bytes(const parameters& p, runtime_family) {
    increments(p);
    return std::uint64_t{16} << 20;
}

constexpr const char* headline = has_time_stamp_counter ? "latency_cycles" : "latency_ns";

const micro_description micro = {
    .headline = headline, .headline_title = step_unit,
    .figures = {{.form = figure_description::shape::lines, .title = "Latency of an increment that all threads do",
                 .measured = headline, .measured_title = step_unit_title,
                 .across = "threads", .across_title = "threads", .least = 1}},
    .variants_differ = true, .by_threads = true, .own_threads = true,
};

}  // namespace

const kernel_description latency_description = {
    .name = "latency", .sizes = {.quick = "1000000", .paper = "10000000", .tiny = "4096", .check = "5000"},
    .variants = variants, .memory_bytes = memory_bytes, .micro = &micro,
};

namespace latency {

std::uint64_t increments_per_thread(const parameters& p) { return increments(p) / p.threads; }

outcome checked(const parameters& p, double seconds, std::uint64_t counter) {
    const std::uint64_t each = increments_per_thread(p);
    const double nanoseconds = seconds * 1e9 / static_cast<double>(each);
    outcome result = exact_outcome(seconds, counter, std::to_string(counter), std::to_string(each * p.threads));
    result.measures.push_back({"latency_ns", measure::role::found, {nanoseconds}});
    if (const double cycles = cycles_per_nanosecond(); cycles > 0)
        result.measures.push_back({"latency_cycles", measure::role::found, {nanoseconds * cycles}});
    return result;
}

}  // namespace latency
}  // namespace bench
