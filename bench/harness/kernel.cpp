// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What most kernels say alike: their variants per runtime family, and how an answer is compared with the expected one.
#include <bench/harness/kernel.hpp>

#include <cmath>
#include <cstdio>

namespace bench {

std::vector<variant_description> usual_variants(runtime_family family, bool with_wait) {
    if (family == runtime_family::serial) return {{"recursive", true}, {"stack", true}};
    if (family == runtime_family::openmp && with_wait) return {{"nowait", true}, {"wait", true}};
    return {{"nowait", true}};
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
    // A comparison with a NaN is false, so that one never passes.
    const bool verified = std::fabs(answer - expected) <= tolerance;
    return {seconds, tasks, text(answer), text(expected), verified};
}

}  // namespace bench
