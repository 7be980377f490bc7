// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Another project's program with Teff::mpi: each rank prints the sum of 10, 9, ..., 1.
#include <teff/mpi.hpp>

#include <cstdio>

int main(int argc, char** argv) {
    int level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    const auto count_down = [](auto& pool, int n) {
        if (n > 1)
            pool.enq(n - 1);
        return n;
    };
    std::printf("sum %d\n", teff::mpi::reduce_tasks(MPI_COMM_WORLD, count_down, 10, {.threads = 2}));
    MPI_Finalize();
}
