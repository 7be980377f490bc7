// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls while MPI cannot be used: mistakes uninitialised|finalised|single. Prints the exception, and fails if there is
// none.
#include <teff/mpi.hpp>

#include <mpi.h>

#include <cstdio>
#include <exception>
#include <string_view>

int main(int argc, char** argv) {
    const std::string_view mode = argc == 2 ? argv[1] : "";
    int level = MPI_THREAD_SINGLE;
    if (mode == "finalised") {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
        MPI_Finalize();
    } else if (mode == "single") {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &level);
    }
    int result = 1;
    try {
        const int sum = teff::mpi::reduce_tasks(MPI_COMM_WORLD, [](auto&, int n) { return n; }, 1, {.threads = 1});
        std::printf("no exception, but %d\n", sum);
    } catch (const std::exception& error) {
        std::printf("%s\n", error.what());
        result = 0;
    }
    if (mode == "single")
        MPI_Finalize();
    return result;
}
