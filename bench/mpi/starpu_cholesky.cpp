// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cholesky factorization by StarPU-MPI alone; see cholesky.hpp.
#include <bench/mpi/cholesky.hpp>

#include <mpi.h>
#include <starpu.h>
#include <starpu_mpi.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace bench::mpi {
namespace {

double* tile_of(void* buffer) { return reinterpret_cast<double*>(STARPU_VECTOR_GET_PTR(buffer)); }

// The rows of a tile, for the tasks' functions.
std::size_t rows_of(void* argument) {
    std::size_t rows = 0;
    starpu_codelet_unpack_args(argument, &rows);
    return rows;
}

void run_potrf(void** of, void* argument) { factor(tile_of(of[0]), rows_of(argument)); }
void run_trsm(void** of, void* argument) { divide(tile_of(of[0]), tile_of(of[1]), rows_of(argument)); }
void run_gemm(void** of, void* argument) {
    add_product(-1, tile_of(of[0]), tile_of(of[1]), tile_of(of[2]), rows_of(argument));
}
void run_syrk(void** of, void* argument) { add_square(-1, tile_of(of[0]), tile_of(of[1]), rows_of(argument)); }

starpu_codelet codelet(starpu_cpu_func_t function, int reads) {
    starpu_codelet made;
    starpu_codelet_init(&made);
    made.cpu_funcs[0] = function;
    made.nbuffers = reads + 1;
    for (int i = 0; i < reads; ++i)
        made.modes[i] = STARPU_R;
    made.modes[reads] = STARPU_RW;
    return made;
}

class starpu_run {
public:
    explicit starpu_run(std::optional<long> threads) {
        // As teff::mpi::procedure: otherwise the threads of all ranks of a machine are bound to the same processors.
        for (const char* const name : {"STARPU_SILENT", "STARPU_WORKERS_NOBIND", "STARPU_MPI_NOBIND"})
            ::setenv(name, "1", 0);
        starpu_conf conf;
        starpu_conf_init(&conf);
        if (threads)
            conf.ncpus = static_cast<int>(*threads);
        conf.ncuda = conf.nopencl = 0;
        if (starpu_init(&conf) != 0)
            throw usage_error("StarPU does not start");
        if (starpu_mpi_init_comm(nullptr, nullptr, 0, MPI_COMM_WORLD) != 0)
            throw usage_error("StarPU-MPI does not start");
    }
    ~starpu_run() {
        starpu_mpi_shutdown();
        starpu_shutdown();
    }
    starpu_run(const starpu_run&) = delete;
    starpu_run& operator=(const starpu_run&) = delete;
};

outcome run(const run_settings& asked) {
    cholesky::workload given(asked.run);
    std::size_t rows = given.shape.rows;
    const std::size_t elements = rows * rows;
    const starpu_run running(asked.options.threads);
    const int rank = starpu_mpi_world_rank();
    const grid owners(starpu_mpi_world_size());
    std::vector<tile> own(given.lower.size());
    std::vector<starpu_data_handle_t> lower(own.size());
    for (std::size_t row = 0; row < given.shape.count; ++row) {
        for (std::size_t column = 0; column <= row; ++column) {
            const std::size_t place = tiling::lower_place(row, column);
            const int owner = owners.owner(row, column);
            if (owner == rank)
                own[place] = given.lower[place];
            starpu_vector_data_register(&lower[place], owner == rank ? STARPU_MAIN_RAM : -1,
                                        owner == rank ? reinterpret_cast<uintptr_t>(own[place].data()) : 0,
                                        static_cast<std::uint32_t>(elements), sizeof(double));
            starpu_mpi_data_register(lower[place], static_cast<starpu_mpi_tag_t>(place), owner);
        }
    }
    const auto at = [&lower](std::size_t row, std::size_t column) { return lower[tiling::lower_place(row, column)]; };
    starpu_codelet potrf = codelet(run_potrf, 0), trsm = codelet(run_trsm, 1), gemm = codelet(run_gemm, 2),
                   syrk = codelet(run_syrk, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    const double seconds = time_seconds([&] {
        each_task(
            given.shape.count,
            [&](std::size_t k) {
                starpu_mpi_task_insert(MPI_COMM_WORLD, &potrf, STARPU_RW, at(k, k), STARPU_VALUE, &rows, sizeof(rows),
                                       0);
            },
            [&](std::size_t row, std::size_t k) {
                starpu_mpi_task_insert(MPI_COMM_WORLD, &trsm, STARPU_R, at(k, k), STARPU_RW, at(row, k), STARPU_VALUE,
                                       &rows, sizeof(rows), 0);
            },
            [&](std::size_t row, std::size_t column, std::size_t k) {
                starpu_mpi_task_insert(MPI_COMM_WORLD, &gemm, STARPU_R, at(row, k), STARPU_R, at(column, k), STARPU_RW,
                                       at(row, column), STARPU_VALUE, &rows, sizeof(rows), 0);
            },
            [&](std::size_t row, std::size_t k) {
                starpu_mpi_task_insert(MPI_COMM_WORLD, &syrk, STARPU_R, at(row, k), STARPU_RW, at(row, row),
                                       STARPU_VALUE, &rows, sizeof(rows), 0);
            });
        starpu_mpi_wait_for_all(MPI_COMM_WORLD);
    });
    std::vector<tile> found(lower.size());
    for (std::size_t place = 0; place < lower.size(); ++place) {
        starpu_mpi_get_data_on_all_nodes_detached(MPI_COMM_WORLD, lower[place]);
        starpu_data_acquire(lower[place], STARPU_R);
        const auto* const first = static_cast<const double*>(starpu_data_get_local_ptr(lower[place]));
        found[place].assign(first, first + elements);
        starpu_data_release(lower[place]);
    }
    starpu_mpi_wait_for_all(MPI_COMM_WORLD);
    for (starpu_data_handle_t each : lower)
        starpu_data_unregister(each);
    return checked(given, found, seconds);
}

const kernel_description description = cholesky_on_ranks();

}  // namespace

const program starpu_cholesky_program = {starpu_runtime, description, one_variant(), run, MPI_THREAD_MULTIPLE};

}  // namespace bench::mpi
