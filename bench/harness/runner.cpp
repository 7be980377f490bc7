// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The benchmark runner: executes one kernel once, checks its answer and prints one line of JSON. The command starts
// one such process per measured run, so that runtimes cannot disturb each other, and kills a process that takes too
// long.
//
// Before the measured run it performs a tiny untimed run of the same kernel with the same number of threads, so that
// worker threads and pools exist. Exit status: 0 verified, 2 a mistake of the user, 3 a wrong answer (the line is
// printed nevertheless), 4 out of memory.
#include <bench/harness/command_line.hpp>
#include <bench/harness/counters.hpp>
#include <bench/harness/delay.hpp>
#include <bench/harness/figure.hpp>
#include <bench/harness/hardware_counters.hpp>
#include <bench/harness/kernels.hpp>
#include <bench/harness/large_stack.hpp>
#include <bench/harness/loaded_openmp.hpp>
#include <bench/harness/report.hpp>
#include <bench/harness/worker_counters.hpp>

#include <teff/dataflow_graph.hpp>
#include <teff/timeline.hpp>

#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <vector>

namespace bench {
namespace {

constexpr runtime_family this_family = runtime_family::TEFF_BENCH_FAMILY;

enum exit_status { verified = 0, usage = 2, wrong_answer = 3, out_of_memory = 4 };

// Checks the requested variant, or selects the default.
void choose_variant(const kernel_description& description, parameters& run) {
    std::string known;
    const std::vector<variant_description> variants = all_variants(description, this_family);
    if (variants.empty())
        throw usage_error(std::string("--kernel ") + description.name + ": this runtime has no version of it");
    for (const variant_description& each : variants) {
        if (run.variant.empty()) run.variant = each.name;
        if (run.variant == each.name) return;
        known += std::string(known.empty() ? "" : ", ") + each.name;
    }
    throw usage_error("--variant " + run.variant + ": " + description.name + " has " + known);
}

void check_flags(const kernel_description& description, const parameters& run) {
    const std::vector<variant_description> waiting = waiting_variants(this_family);
    const bool is_first = run.variant == waiting.front().name;
    const bool has_cutoff =
        description.has_cutoff || (description.openmp && description.openmp->has_cutoff && is_first);
    if (run.cutoff >= 0 && !has_cutoff)
        throw usage_error(std::string("--cutoff: ") + description.name + " has none");
    if (!run.input.empty() && !description.has_input)
        throw usage_error(std::string("--input: ") + description.name + " reads no file");
}

void start_threads(const kernel& chosen, parameters run) {
    run.size = chosen.description.sizes.tiny;
    run.input.clear();
    run.cutoff = -1;   // a cut-off above the tiny size would leave a single task, which starts no threads
    chosen.run(run);
}

// What was asked for of: the operating system's counters, the processor's, and those of this library's workers.
class run_counters final : public region_watcher {
public:
    // Must be called before the runtime is used.
    explicit run_counters(const parameters& run) : wanted_(run.counters) {
        if (run.hardware_counters) hardware_.emplace();
        if constexpr (counts_workers)
            if (wanted_) count_workers();
    }

    // Before and after the measured run. The processor's counters count the timed regions in it, or all of it if it has
    // none.
    void run_begins() {
        system_ = {};
        is_first_ = true;
        if constexpr (counts_workers) {
            teff::reset_counters();
            restart_records();
        }
        if (hardware_) hardware_->region_begins();
        watching_regions = this;
    }
    void run_ends() {
        watching_regions = nullptr;
        if (hardware_ && !hardware_->has_regions()) hardware_->region_ends();
    }
    // Timeline and task graph reach from the first region to the end of the last, or over the whole run if it has no
    // region: then they are written when the process exits.
    void region_begins() override {
        if constexpr (counts_workers)
            if (is_first_) restart_records();
        is_first_ = false;
        if (hardware_) hardware_->region_begins();
    }
    void region_ends() override {
        if (hardware_) hardware_->region_ends();
        if constexpr (counts_workers) {
            teff::write_timeline();
            teff::write_dataflow_graph();
        }
    }

    // Empty unless something was asked for.
    std::string json() const {
        std::string members;
        if (wanted_) {
            const std::string all = system_.json();
            members = all.substr(1, all.size() - 2);
            if constexpr (counts_workers) members += ",\"workers\":" + worker_counters_json();
        }
        if (hardware_) members += (members.empty() ? "" : ",") + ("\"hardware\":" + hardware_->json());
        return members.empty() ? "" : "{" + members + "}";
    }

private:
    static constexpr bool counts_workers = this_family == runtime_family::teff;

    static void restart_records() {
        teff::restart_timeline();
        teff::restart_dataflow_graph();
    }

    bool wanted_;
    bool is_first_ = true;
    system_counters system_;
    std::optional<hardware_counters> hardware_;
};

int execute(const command_line& line) {
    if (line.calibrate) {
        std::printf("{\"pace\":%llu}\n", static_cast<unsigned long long>(measured_pace()));
        return verified;
    }
    if (line.describe && line.kernel.empty()) {
        std::puts(described(all_kernels(), this_family).c_str());
        return verified;
    }
    const kernel& chosen = kernel_by_name(line.kernel, line.kind);
    parameters run = line.run;
    choose_variant(chosen.description, run);
    check_flags(chosen.description, run);
    if (line.describe) {
        std::puts(described_run(chosen, run, this_family).c_str());
        return verified;
    }
    if (run.pace == 0 && chosen.description.micro != nullptr && chosen.description.micro->paced)
        run.pace = measured_pace();
    if (chosen.description.prepare != nullptr) chosen.description.prepare(run);
    run_counters counters(run);
    start_threads(chosen, run);
    counters.run_begins();
    const outcome result = chosen.run(run);
    counters.run_ends();
    // Asked at the end, since a library may come late.
    std::vector<std::string> libraries;
    if constexpr (this_family == runtime_family::openmp) libraries = loaded_openmp();
    std::puts(reported(line.kernel, run, result, counters.json(), libraries).c_str());
    return result.verified ? verified : wrong_answer;
}

}  // namespace
}  // namespace bench

int main(int count, char** arguments) {
    try {
        const bench::command_line line = bench::parse_command_line(count, arguments);
        bench::ensure_large_stacks(arguments);
        return bench::execute(line);
    } catch (const std::bad_alloc&) {
        std::fputs("teff-bench: out of memory; choose a smaller --size\n", stderr);
        return bench::out_of_memory;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "teff-bench: %s\n", error.what());
        return bench::usage;
    }
}
