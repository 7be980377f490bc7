// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See report.hpp. The JSON is written by hand: the texts are few, and a runner should depend only on the runtime that
// it measures. How a text is escaped is a header of the standard library alone.
#include <bench/harness/report.hpp>

#include <bench/harness/figure.hpp>
#include <teff/base/escaped_text.hpp>

#include <cstdio>
#include <string_view>

namespace bench {

std::string quoted(const std::string& text) {
    std::string result = "\"";
    teff::escape_json(text, [&](std::string_view piece) { result += piece; });
    return result + "\"";
}

namespace {

const char* truth(bool value) { return value ? "true" : "false"; }

// What one kind of a kernel has of its own.
struct kind_members {
    bool has_cutoff;
    const kind_sizes* sizes = nullptr;     // null: those of the kernel
    std::string further = {};              // members
};

std::string described(const kernel_description& kernel, runtime_family family,
                      const std::vector<variant_description>& variants, const kind_members& kind) {
    std::string names;
    std::string ratios;
    std::string threads;
    std::string accesses;
    std::string own_threads;
    for (const variant_description& variant : variants) {
        const char* const separator = names.empty() ? "" : ",";
        names += separator + quoted(variant.name);
        ratios += separator + quoted(variant.name) + ":" + truth(variant.ratio);
        if (variant.least_threads > 1)
            threads += (threads.empty() ? "" : ",") + quoted(variant.name) + ":" +
                       std::to_string(variant.least_threads);
        if (variant.has_accesses) accesses += (accesses.empty() ? "" : ",") + quoted(variant.name);
        if (variant.own_threads) own_threads += (own_threads.empty() ? "" : ",") + quoted(variant.name);
    }
    const char* quick = kernel.sizes.quick;
    const char* paper = kernel.sizes.paper;
    if (kind.sizes != nullptr) {
        quick = kind.sizes->quick;
        paper = kind.sizes->paper;
    }
    if (kernel.micro != nullptr && kernel.micro->peer_quick != nullptr && family != runtime_family::teff) {
        quick = kernel.micro->peer_quick;
        paper = kernel.micro->peer_paper;
    }
    return "{\"kernel\":" + quoted(kernel.name) + ",\"variants\":[" + names + "],\"check\":" +
           quoted(kernel.sizes.check) + ",\"ratio\":{" + ratios + "},\"sizes\":{\"quick\":" + quoted(quick) +
           ",\"paper\":" + quoted(paper) + "},\"cutoff\":" + truth(kind.has_cutoff) +
           ",\"input\":" + truth(kernel.has_input) +
           (threads.empty() ? "" : ",\"least_threads\":{" + threads + "}") +
           (accesses.empty() ? "" : ",\"accesses\":[" + accesses + "]") +
           (own_threads.empty() ? "" : ",\"own_threads_in\":[" + own_threads + "]") + kind.further + "}";
}

std::string shown(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.12g", value);
    return text;
}

std::string listed(const measure& found) {
    if (found.what != measure::role::by_worker) return shown(found.values.front());
    std::string elements;
    for (const double each : found.values) elements += (elements.empty() ? "" : ",") + shown(each);
    return "[" + elements + "]";
}

// Given and found measures are reported separately: the given ones hold for all runs of a row, the found ones for one
// run.
std::string reported(const std::vector<measure>& measures) {
    std::string given;
    std::string found;
    for (const measure& each : measures) {
        std::string& part = each.what == measure::role::given ? given : found;
        part += (part.empty() ? "" : ",") + quoted(each.name) + ":" + listed(each);
    }
    return measures.empty() ? "" : ",\"given\":{" + given + "},\"found\":{" + found + "}";
}

std::string described(const figure_description& figure) {
    constexpr const char* shapes[] = {"lines", "boxes", "dots"};
    return "{\"shape\":" + quoted(shapes[static_cast<int>(figure.form)]) +
           ",\"title\":" + quoted(figure.title) + ",\"measured\":" + quoted(figure.measured) +
           ",\"measured_title\":" + quoted(figure.measured_title) + ",\"across\":" + quoted(figure.across) +
           ",\"across_title\":" + quoted(figure.across_title) + ",\"where\":" + quoted(figure.where) +
           ",\"equals\":" + shown(figure.equals) + ",\"least\":" + shown(figure.least) +
           ",\"by_variant\":" + truth(figure.by_variant) + "}";
}

const char* measured_kind(const kernel_description& kernel) {
    return kernel.openmp ? "openmp" : kernel.dataflow ? "dataflow" : kernel.threads ? "threads" : "micro";
}

}  // namespace

std::string described(std::span<const kernel> kernels, runtime_family family) {
    std::string elements;
    const auto add = [&](const kernel_description& kernel, const std::vector<variant_description>& variants,
                         const kind_members& kind) {
        if (!variants.empty()) elements += (elements.empty() ? "" : ",") + described(kernel, family, variants, kind);
    };
    for (const auto& [kernel, run] : kernels) {
        const bool is_openmp = kernel.openmp && kernel.micro == nullptr &&
                               (family == runtime_family::openmp || family == runtime_family::serial);
        if (kernel.variants != nullptr)
            add(kernel, kernel.variants(family),
                {kernel.has_cutoff, nullptr,
                 kernel.micro == nullptr ? "" : described_micro(*kernel.micro, measured_kind(kernel))});
        if (kernel.waits)
            add(kernel, waiting_variants(family), {kernel.has_cutoff, nullptr, ",\"kind\":\"fork_join\""});
        if (is_openmp)
            add(kernel, waiting_variants(family),
                {kernel.has_cutoff || kernel.openmp->has_cutoff, &*kernel.openmp, ",\"kind\":\"openmp\""});
        if (kernel.mpi)
            add(kernel, unwaiting_variants(kernel, family),
                {kernel.has_cutoff, &*kernel.mpi, ",\"kind\":\"mpi\""});
    }
    return "[" + elements + "]";
}

std::string described_on_ranks(const kernel_description& kernel, const std::vector<variant_description>& variants,
                               const std::string& runtime, const std::string& compiler) {
    const std::string further =
        ",\"kind\":\"mpi\",\"runtime\":" + quoted(runtime) + ",\"compiler\":" + quoted(compiler);
    return described(kernel, runtime_family::teff, variants,
                     {kernel.has_cutoff, kernel.mpi ? &*kernel.mpi : nullptr, further});
}

std::string described_micro(const micro_description& micro, const char* kind) {
    std::string figures;
    for (const figure_description& each : micro.figures) figures += (figures.empty() ? "" : ",") + described(each);
    return ",\"kind\":" + quoted(kind) + ",\"variants_differ\":" + truth(micro.variants_differ) +
           ",\"by_threads\":" + truth(micro.by_threads) + ",\"own_threads\":" + truth(micro.own_threads) +
           ",\"paced\":" + truth(micro.paced) + ",\"compared\":" + quoted(micro.compared) +
           ",\"headline\":" + quoted(micro.headline) + ",\"headline_title\":" + quoted(micro.headline_title) +
           ",\"figures\":[" + figures + "]";
}

std::string described_run(const kernel& each, const parameters& run, runtime_family family) {
    return "{\"kernel\":" + quoted(each.description.name) + ",\"size\":" + quoted(run.size) +
           ",\"variant\":" + quoted(run.variant) +
           ",\"memory_bytes\":" + std::to_string(each.description.memory_bytes(run, family)) + "}";
}

std::string reported(const std::string& kernel, const parameters& run, const outcome& result,
                     const std::string& counters, const std::vector<std::string>& libraries) {
    std::string loaded;
    for (const std::string& each : libraries) loaded += (loaded.empty() ? "" : ",") + quoted(each);
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.9f", result.seconds);
    return "{\"kernel\":" + quoted(kernel) + ",\"size\":" + quoted(run.size) + ",\"variant\":" + quoted(run.variant) +
           ",\"seconds\":" + seconds + ",\"tasks\":" + std::to_string(result.tasks) +
           ",\"answer\":" + quoted(result.answer) + ",\"expected\":" + quoted(result.expected) +
           ",\"verified\":" + truth(result.verified) + reported(result.measures) +
           (loaded.empty() ? "" : ",\"openmp_libraries\":[" + loaded + "]") +
           (counters.empty() ? "" : ",\"counters\":" + counters) + "}";
}

}  // namespace bench
