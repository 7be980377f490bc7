// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// teff-mpi-bench: kernels as reductions on many machines, with verified results.
//
//   mpirun -n 2 teff-mpi-bench uts --size T1L --threads 2 --repeat 5
//
// The kernels are those of the runners, uts, nqueens and fib, with the same bodies and the same sizes.
// Rank 0 prints a line for each run: the time of the slowest rank, and whether the result is right. With --alone, each
// rank runs teff::reduce_tasks by itself, to compare with.
#include <bench/fib/fib.hpp>
#include <bench/harness/kernel.hpp>
#include <bench/nqueens/nqueens.hpp>
#include <bench/uts/uts.hpp>

#include <teff/mpi.hpp>
#include <teff/reduce.hpp>

#include <mpi.h>

#include <charconv>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

namespace bench {
namespace {

struct command {
    std::string kernel;
    parameters run;
    long repeat = 1;
    bool alone = false;
    teff::mpi::options options;
};

constexpr const char* usage =
    "usage: teff-mpi-bench uts|nqueens|fib [--size S] [--threads N] [--scheduler NAME] [--cutoff N] [--chunk N] "
    "[--random-victims N] [--repeat N] [--alone]";

long number(std::string_view option, std::string_view text) {
    long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        throw usage_error(std::string(option) + " " + std::string(text) + ": not a number\n" + usage);
    return value;
}

// The result refers to the arguments.
command parse(int count, char** arguments) {
    command asked;
    for (int i = 1; i < count; ++i) {
        const std::string_view option = arguments[i];
        if (i == 1) {
            asked.kernel = option;
            continue;
        }
        if (option == "--alone") {
            asked.alone = true;
            continue;
        }
        if (i + 1 == count)
            throw usage_error(std::string(option) + ": no value, or no option\n" + usage);
        const char* const value = arguments[++i];
        if (option == "--size")
            asked.run.size = value;
        else if (option == "--scheduler")
            asked.options.scheduler = value;
        else if (option == "--threads")
            asked.options.threads = number(option, value);
        else if (option == "--cutoff")
            asked.run.cutoff = number(option, value);
        else if (option == "--chunk")
            asked.options.chunk = number(option, value);
        else if (option == "--random-victims")
            asked.options.random_victims = number(option, value);
        else if (option == "--repeat")
            asked.repeat = number(option, value);
        else
            throw usage_error(std::string(option) + ": no such option\n" + usage);
    }
    return asked;
}

template <class Body, class Task>
auto reduced(const command& asked, const Body& body, const Task& first) {
    if (asked.alone)
        return teff::reduce_tasks(asked.options.on_rank(), body, first);
    return teff::mpi::reduce_tasks(MPI_COMM_WORLD, body, first, asked.options);
}

outcome run_once(const command& asked) {
    const parameters& p = asked.run;
    if (asked.kernel == "uts") {
        const uts::workload tree = uts::chosen(p);
        uts::counts found;
        const double seconds = time_seconds([&] { found = reduced(asked, uts::body{tree.tree}, tree.tree.root()); });
        return uts::checked(tree, seconds, found);
    }
    if (asked.kernel == "nqueens")
        return nqueens::with_rule(p, [&](auto rule) {
            std::uint64_t solutions = 0;
            const double seconds = time_seconds(
                [&] { solutions = reduced(asked, nqueens::body<decltype(rule)>{rule}, nqueens::board{}); });
            return nqueens::checked(p, seconds, solutions);
        });
    if (asked.kernel == "fib")
        return fib::with_rule(p, [&](auto rule) {
            std::size_t answer = 0;
            const std::size_t num = fib::argument(p);
            const double seconds = time_seconds([&] { answer = reduced(asked, fib::body<decltype(rule)>{rule}, num); });
            return fib::checked(p, seconds, answer);
        });
    throw usage_error(usage);
}

// Returns whether all results were right.
bool run(const command& asked) {
    int rank = 0, size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool are_all_right = true;
    for (long i = 0; i < asked.repeat; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        const outcome own = run_once(asked);
        double slowest = 0;
        MPI_Reduce(&own.seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        int is_right = own.verified ? 1 : 0;
        MPI_Allreduce(MPI_IN_PLACE, &is_right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        are_all_right = are_all_right && is_right != 0;
        if (rank == 0)
            std::printf("%s %s: %d ranks, %.6f s, %s: %s\n", asked.kernel.c_str(), asked.run.size.c_str(), size,
                        slowest, is_right != 0 ? "right" : "WRONG", own.answer.c_str());
    }
    return are_all_right;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    int status = 2;
    try {
        status = bench::run(bench::parse(argc, argv)) ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "teff-mpi-bench: %s\n", error.what());
    }
    MPI_Finalize();
    return status;
}
