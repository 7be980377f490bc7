// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Procedures that cannot be made, and programs that differ between ranks: dataflow_mistakes MODE. Prints the exception;
// ranks that differ end the program with a message.
#include <teff/mpi_dataflow.hpp>

#include <mpi.h>

#include <cstdio>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace {

// The tasks of rank 0 wait for one that the last rank is to run.
void run(std::string_view mode) {
    teff::mpi::procedure tasks(MPI_COMM_WORLD, {.threads = 1});
    const int last = tasks.ranks() - 1;
    teff::mpi::object<int> a(tasks, 0, 0), b(tasks, last, 0);
    const auto add = [](const int& from, int& to) { to += from + 1; };
    if (mode == "exception" && tasks.rank() == last)
        throw std::runtime_error("an exception of one rank");
    if (mode == "other_tasks" && tasks.rank() == last)
        tasks.spawn(add, in(a), inout(b));
    if (mode == "other_objects" && tasks.rank() == last)
        teff::mpi::object<int>(tasks, 0, 0);
    if (mode == "other_accesses" && tasks.rank() == last)
        tasks.spawn(add, in(a), out(b));
    else
        tasks.spawn(add, in(a), inout(b));
    tasks.spawn(add, in(b), inout(a));
    if (mode == "exception_before_sync" && tasks.rank() == last)
        throw std::runtime_error("an exception of one rank");
    if (mode == "other_syncs" && tasks.rank() == last)
        tasks.sync();
    if (mode == "value")
        std::printf("%d\n", a.value());
    else
        tasks.sync();
    std::printf("no exception\n");
}

}  // namespace

// The object lives longer than the procedure and MPI.
void end_late(std::string_view mode) {
    static std::optional<teff::mpi::object<int>> late;
    static std::optional<teff::mpi::procedure> tasks;
    tasks.emplace(MPI_COMM_WORLD, teff::mpi::procedure_options{.threads = 1});
    late.emplace(*tasks, 0, 1);
    if (mode == "late_object")
        tasks.reset();
}

int main(int argc, char** argv) {
    const std::string_view mode = argc == 2 ? argv[1] : "";
    int level = MPI_THREAD_SINGLE;
    if (mode != "uninitialised")
        MPI_Init_thread(&argc, &argv, mode == "serialized" ? MPI_THREAD_SERIALIZED : MPI_THREAD_MULTIPLE, &level);
    try {
        mode.starts_with("late") ? end_late(mode) : run(mode);
    } catch (const std::exception& error) {
        std::printf("%s\n", error.what());
    }
    if (mode != "uninitialised")
        MPI_Finalize();
}
