// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See report.hpp. JSON by hand: the texts are few, and a runner shall need nothing but the runtime that it measures.
#include <bench/harness/report.hpp>

#include <cstdio>

namespace bench {
namespace {

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char each : text) {
        if (each == '"' || each == '\\') {
            result += {'\\', each};
        } else if (static_cast<unsigned char>(each) < 0x20) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(each));
            result += escape;
        } else {
            result += each;
        }
    }
    return result + "\"";
}

const char* truth(bool value) { return value ? "true" : "false"; }

std::string described(const kernel_description& kernel, runtime_family family) {
    std::string names;
    std::string ratios;
    for (const variant_description& variant : kernel.variants(family)) {
        const char* const separator = names.empty() ? "" : ",";
        names += separator + quoted(variant.name);
        ratios += separator + quoted(variant.name) + ":" + truth(variant.ratio);
    }
    return "{\"kernel\":" + quoted(kernel.name) + ",\"variants\":[" + names + "],\"ratio\":{" + ratios +
           "},\"sizes\":{\"quick\":" + quoted(kernel.quick) + ",\"paper\":" + quoted(kernel.paper) +
           "},\"cutoff\":" + truth(kernel.has_cutoff) + ",\"input\":" + truth(kernel.has_input) + "}";
}

}  // namespace

std::string described(std::span<const kernel> kernels, runtime_family family) {
    std::string elements;
    for (const kernel& each : kernels) {
        if (!elements.empty()) elements += ",";
        elements += described(each.description, family);
    }
    return "[" + elements + "]";
}

std::string described_run(const kernel& each, const parameters& run, runtime_family family) {
    return "{\"kernel\":" + quoted(each.description.name) + ",\"size\":" + quoted(run.size) +
           ",\"variant\":" + quoted(run.variant) +
           ",\"memory_bytes\":" + std::to_string(each.description.memory_bytes(run, family)) + "}";
}

std::string reported(const std::string& kernel, const parameters& run, const outcome& result,
                     const std::string& counters) {
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.9f", result.seconds);
    return "{\"kernel\":" + quoted(kernel) + ",\"size\":" + quoted(run.size) + ",\"variant\":" + quoted(run.variant) +
           ",\"seconds\":" + seconds + ",\"tasks\":" + std::to_string(result.tasks) +
           ",\"answer\":" + quoted(result.answer) + ",\"expected\":" + quoted(result.expected) +
           ",\"verified\":" + truth(result.verified) + (counters.empty() ? "" : ",\"counters\":" + counters) + "}";
}

}  // namespace bench
