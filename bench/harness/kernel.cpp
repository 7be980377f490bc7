// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by most kernels: their variants per runtime family, and the comparison of an answer with the expected one.
#include <bench/harness/kernel.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace bench {

std::vector<variant_description> usual_variants(runtime_family family, bool with_wait) {
    if (family == runtime_family::serial) return {{"recursive", true}, {"stack", true}};
    if (family == runtime_family::openmp && with_wait) return {{"nowait", true}, {"wait", true}};
    return {{"nowait", true}};
}

std::vector<variant_description> waiting_variants(runtime_family family) {
    return {{family == runtime_family::serial ? "recursive" : "wait", true}};
}

std::vector<variant_description> unwaiting_variants(const kernel_description& kernel, runtime_family family) {
    std::vector<variant_description> variants = kernel.variants(family);
    std::erase_if(variants, [](const variant_description& each) { return std::string_view(each.name) == "wait"; });
    return variants;
}

std::vector<variant_description> all_variants(const kernel_description& kernel, runtime_family family) {
    std::vector<variant_description> all;
    if (kernel.variants != nullptr) all = kernel.variants(family);
    if (!kernel.waits) return all;
    for (const variant_description& each : waiting_variants(family)) {
        const auto same = [&](const variant_description& other) { return std::string_view(each.name) == other.name; };
        if (std::none_of(all.begin(), all.end(), same)) all.push_back(each);
    }
    return all;
}

bool keeps_levels(const parameters& p, runtime_family family) {
    if (family != runtime_family::teff) return false;
    const auto scheduler = teff::find_scheduler(p.scheduler);
    return scheduler && scheduler->order == teff::task_order::oldest_first;
}

std::uint64_t task_memory_bytes(const parameters& p, runtime_family family, std::uint64_t tasks,
                                std::size_t task_bytes) {
    constexpr std::uint64_t runtime_bytes = std::uint64_t{64} << 20;
    return runtime_bytes + (keeps_levels(p, family) ? tasks * task_bytes / 3 : 0);
}

outcome exact_outcome(double seconds, std::uint64_t tasks, std::string answer, std::string expected) {
    outcome result{seconds, tasks, std::move(answer), std::move(expected), false};
    result.verified = result.answer == result.expected;
    return result;
}

outcome near_outcome(double seconds, std::uint64_t tasks, double answer, double expected, double tolerance) {
    auto text = [](double value) {
        char buffer[32];
        std::snprintf(buffer, sizeof buffer, "%.15g", value);
        return std::string(buffer);
    };
    // A comparison with NaN is false, so a NaN is never verified.
    const bool verified = std::fabs(answer - expected) <= tolerance;
    return {seconds, tasks, text(answer), text(expected), verified};
}

}  // namespace bench
