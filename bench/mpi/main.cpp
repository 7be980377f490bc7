// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// teff-mpi-bench: kernels on many machines, with verified results.
//
//   mpirun -n 2 teff-mpi-bench uts --size T1L --threads 2 --repeat 5
//
// Rank 0 prints a line for each run: the time of the slowest rank, and whether the result is right. With --alone, each
// rank runs teff::reduce_tasks by itself, to compare with. With --json it is a runner for `teff bench --kind mpi`: one
// run, and the line and the exit status of the other runners (harness/runner.cpp). Either way a tiny run comes first,
// which starts the threads and the connections between the ranks.
#include <bench/mpi/command_line.hpp>
#include <bench/mpi/program.hpp>
#include <bench/mpi/rank_usage.hpp>

#include <bench/harness/report.hpp>

#include <mpi.h>
#include <sys/prctl.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <set>
#include <string>
#include <string_view>

namespace bench::mpi {
namespace {

constexpr const program* programs[] = {
#define TEFF_MPI_PROGRAM(name) &name##_program,
#include <bench/mpi/programs.inc>
#undef TEFF_MPI_PROGRAM
};

#if defined(__clang__)
constexpr const char* compiler = "clang";
#else
constexpr const char* compiler = "gcc";
#endif

enum exit_status { verified = 0, usage = 2, wrong_answer = 3, out_of_memory = 4 };

std::string runtime_names() {
    std::set<std::string_view> all;
    for (const program* each : programs)
        all.insert(each->runtime);
    std::string text;
    for (const std::string_view name : all)
        text += (text.empty() ? "" : ", ") + std::string(name);
    return text;
}

const program& chosen_program(const command_line& line) {
    std::string known;
    for (const program* each : programs) {
        if (line.runtime != each->runtime)
            continue;
        if (line.kernel == each->description.name)
            return *each;
        known += std::string(known.empty() ? "" : ", ") + each->description.name;
    }
    if (known.empty())
        throw usage_error("--runtime " + line.runtime + ": there are " + runtime_names());
    throw usage_error(line.kernel + ": " + line.runtime + " has " + known);
}

// Checks the requested variant, or selects the default.
void choose_variant(const program& chosen, parameters& run) {
    std::string known;
    for (const variant_description& each : chosen.variants) {
        if (run.variant.empty())
            run.variant = each.name;
        if (run.variant == each.name)
            return;
        known += std::string(known.empty() ? "" : ", ") + each.name;
    }
    throw usage_error("--variant " + run.variant + ": " + chosen.description.name + " has " + known);
}

void check_flags(const program& chosen, const parameters& run) {
    if (run.cutoff >= 0 && !chosen.description.has_cutoff)
        throw usage_error(std::string("--cutoff: ") + chosen.description.name + " has none");
    if (!run.input.empty() && !chosen.description.has_input)
        throw usage_error(std::string("--input: ") + chosen.description.name + " reads no file");
}

std::string described_programs() {
    std::string elements;
    for (const program* each : programs)
        elements += (elements.empty() ? "" : ",") +
                    described_on_ranks(each->description, each->variants, each->runtime, compiler);
    return "[" + elements + "]";
}

// Returns true if it has answered.
bool describe(const command_line& line) {
    if (!line.describe)
        return false;
    if (line.kernel.empty()) {
        std::puts(described_programs().c_str());
        return true;
    }
    const program& chosen = chosen_program(line);
    std::puts(described_run({chosen.description, nullptr}, line.asked.run, runtime_family::teff).c_str());
    return true;
}

struct whole_run {
    outcome result;
    rank_usage usage;
};

// One run of all ranks. The outcome's time is that of the slowest rank, and it is right if it is on every rank.
whole_run run_once(const program& chosen, const run_settings& asked) {
    MPI_Barrier(MPI_COMM_WORLD);
    whole_run all{};
    all.result = chosen.run(asked);
    const outcome own = all.result;
    MPI_Allreduce(&own.seconds, &all.result.seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    all.usage.stop(all.result.seconds);
    int is_right = own.verified ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &is_right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    all.result.verified = is_right != 0;
    if (own.verified && is_right == 0)
        all.result.answer += " (another rank has another result)";
    return all;
}

void print(const command_line& line, const run_settings& asked, const whole_run& all, int ranks) {
    outcome result = all.result;
    if (!line.json) {
        std::printf("%s %s: %d ranks, %.6f s, %s: %s\n", line.kernel.c_str(), asked.run.size.c_str(), ranks,
                    result.seconds, result.verified ? "right" : "WRONG", result.answer.c_str());
        return;
    }
    for (measure& each : all.usage.measures())
        result.measures.push_back(each);
    std::puts(reported(line.kernel, asked.run, result, line.counters ? all.usage.json() : "").c_str());
}

int run(const command_line& line, const program& chosen) {
    run_settings asked = line.asked;
    choose_variant(chosen, asked.run);
    check_flags(chosen, asked.run);
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    run_settings tiny = asked;
    tiny.run.size = chosen.description.sizes.tiny;
    tiny.run.input.clear();
    tiny.run.cutoff = -1;
    chosen.run(tiny);
    bool are_all_right = true;
    for (long i = 0; i < line.repeat; ++i) {
        const whole_run all = run_once(chosen, asked);
        are_all_right = are_all_right && all.result.verified;
        if (rank == 0)
            print(line, asked, all, ranks);
    }
    return are_all_right ? verified : wrong_answer;
}

// Calls function(), and tells what went wrong.
template <class Function>
int told(Function&& function) {
    try {
        return function();
    } catch (const std::bad_alloc&) {
        std::fputs("teff-mpi-bench: out of memory; choose a smaller --size\n", stderr);
        return out_of_memory;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "teff-mpi-bench: %s\n", error.what());
        return usage;
    }
}

}  // namespace
}  // namespace bench::mpi

int main(int argc, char** argv) {
    using namespace bench::mpi;
    // Before MPI, which takes a moment to start.
    command_line line;
    const program* chosen = nullptr;
    const int status = told([&] {
        line = parse(argc, argv);
        if (!describe(line))
            chosen = &chosen_program(line);
        return static_cast<int>(verified);
    });
    if (chosen == nullptr)
        return status;
    // `teff bench` ends mpirun at the time limit, and mpirun's processes are in groups of their own.
    if (line.json)
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, chosen->threads_level, &level);
    const int result = told([&] { return run(line, *chosen); });
    MPI_Finalize();
    return result;
}
