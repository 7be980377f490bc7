// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variants, sizes and measures of constructs; see constructs.hpp.
#include <bench/constructs/constructs.hpp>

#include <bench/harness/figure.hpp>
#include <bench/harness/size.hpp>

namespace bench {
namespace {

constexpr size_part size_parts[] = {{"SAMPLES", 1, 100'000}, {"MICROSECONDS", 1, 1'000'000}};

std::vector<variant_description> variants(runtime_family family) {
    if (family != runtime_family::openmp) return {};
    std::vector<variant_description> all;
    for (const char* name : {"parallel", "reduction", "barrier", "single", "for_static", "for_static_4", "for_dynamic",
                             "for_dynamic_4", "for_guided", "for_guided_4", "ordered", "sections", "atomic", "critical",
                             "lock", "task", "task_single", "taskwait", "taskgroup", "task_undeferred",
                             "taskloop_1", "taskloop_8", "taskloop_64"})
        all.push_back({name, true});
    for (const char* name : {"depend_in", "depend_inout", "depend_mutex"})
        all.push_back({.name = name, .ratio = true, .has_accesses = true});
    return all;
}

std::uint64_t memory_bytes(const parameters&, runtime_family) { return std::uint64_t{256} << 20; }

const micro_description micro = {
    .headline = "overhead_ns", .headline_title = "ns",
    .figures = {{.form = figure_description::shape::dots, .title = "Cost of a construct beyond what is inside it",
                 .measured = "overhead_ns", .measured_title = "ns for each construct"}},
    .variants_differ = true,
    .compared = "construct_ns",
};

constexpr kind_sizes sizes = {"9x1000", "51x10000"};

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

const kernel_description constructs_description = {
    .name = "constructs", .sizes = {.quick = sizes.quick, .paper = sizes.paper, .tiny = "1x1", .check = "2x100"},
    .variants = variants, .memory_bytes = memory_bytes, .micro = &micro, .openmp = sizes,
};

namespace constructs {

sampling sampling_of(const parameters& p) {
    const auto numbers = size_numbers(constructs_description, p, size_parts);
    return {static_cast<unsigned>(numbers[0]), static_cast<double>(numbers[1]) * 1e-6};
}

outcome checked(const reading& found) {
    // The number of tasks is 0, that is, none is told: how many constructs a sample needs is found in each run.
    outcome told = exact_outcome(found.seconds, 0, std::to_string(found.executed), std::to_string(found.expected));
    const double construct = median(found.construct_ns);
    const double reference = median(found.reference_ns);
    told.measures = {
        {"overhead_ns", measure::role::found, {construct - reference}},
        {"construct_ns", measure::role::found, {construct}},
        {"reference_ns", measure::role::found, {reference}},
    };
    return told;
}

}  // namespace constructs
}  // namespace bench
