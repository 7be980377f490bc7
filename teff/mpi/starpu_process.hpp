// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// StarPU in this process: its start, with the settings that suit several ranks on a machine, and its end. A process has
// one at a time.
#pragma once

#include <mpi.h>

#include <optional>

namespace teff::mpi {

// StarPU, from the constructor to stop().
class starpu_process {
public:
    // `threads`: workers; without a number, one for each processor, less one for communication between several ranks.
    // Throws std::invalid_argument, std::logic_error, std::runtime_error.
    starpu_process(int ranks, std::optional<long> threads);
    ~starpu_process() { stop(); }
    starpu_process(const starpu_process&) = delete;
    starpu_process& operator=(const starpu_process&) = delete;

    bool does_run() const noexcept { return does_run_; }
    int workers() const noexcept { return workers_; }
    // Collective. Starts the thread that communicates. Throws std::runtime_error.
    void start_mpi(MPI_Comm comm);
    void stop() noexcept;

private:
    bool does_run_ = false;
    bool does_communicate_ = false;
    int workers_ = 0;
};

}  // namespace teff::mpi
