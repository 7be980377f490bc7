// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Another project's program with Teff::mpi_dataflow: each rank prints the sum of 10, 9, ..., 1.
#include <teff/mpi_dataflow.hpp>

#include <cstdio>

int main(int argc, char** argv) {
    int level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    {
        teff::mpi::procedure tasks(MPI_COMM_WORLD, {.threads = 1});
        teff::mpi::object<int> sum(tasks, 0, 0);
        for (int i = 1; i <= 10; ++i)
            tasks.spawn_on(i % tasks.ranks(), [](int& to, int more) { to += more; }, inout(sum), i);
        std::printf("sum %d\n", sum.value());
    }
    MPI_Finalize();
}
