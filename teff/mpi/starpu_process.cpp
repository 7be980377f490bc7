// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The start and the end of StarPU; see starpu_process.hpp.
#include <teff/mpi/starpu_process.hpp>

#include <teff/mpi/dataflow_engine.hpp>
#include <teff/options.hpp>
#include <teff/team/team_options.hpp>

#include <starpu.h>
#include <starpu_mpi.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace teff::mpi {
namespace {

// What StarPU reads from the environment; what the user has set stays. Its workers share the processors that this rank
// may use: StarPU would bind those of all ranks of a machine to the same ones.
class starpu_environment {
public:
    starpu_environment() {
        set("STARPU_SILENT", "1");
        set("STARPU_CATCH_SIGNALS", "0");
        set("STARPU_WORKERS_NOBIND", "1");
        set("STARPU_MPI_NOBIND", "1");
        if (std::getenv("STARPU_HOME") != nullptr || std::getenv("STARPU_PERF_MODEL_DIR") != nullptr)
            return;
        // It measures the machine and would keep the results in the user's home directory.
        std::error_code ignored;
        std::string folder = (std::filesystem::temp_directory_path(ignored) / "teff-starpu-XXXXXX").string();
        if (::mkdtemp(folder.data()) == nullptr)
            return;
        folder_ = folder;
        set("STARPU_HOME", folder_.c_str());
    }
    // StarPU has read it all.
    ~starpu_environment() {
        for (const char* const name : set_)
            ::unsetenv(name);
        std::error_code ignored;
        if (!folder_.empty())
            std::filesystem::remove_all(folder_, ignored);
    }
    starpu_environment(const starpu_environment&) = delete;
    starpu_environment& operator=(const starpu_environment&) = delete;

private:
    void set(const char* name, const char* value) {
        if (std::getenv(name) == nullptr && ::setenv(name, value, 1) == 0)
            set_.push_back(name);
    }

    std::vector<const char*> set_;
    std::string folder_;
};

}  // namespace

starpu_process::starpu_process(int ranks, std::optional<long> threads) {
    teff::options asked;
    asked.threads = threads;
    const int most = static_cast<int>(resolve(asked).settings.slots);
    // The thread that communicates is busy as long as a transfer is on its way, so it needs a processor.
    const int wanted = threads || ranks == 1 ? most : std::max(1, most - 1);
    if (starpu_is_initialized() != 0)
        throw std::logic_error("teff::mpi::procedure: StarPU runs already in this process; shut it down before the "
                               "procedure is made");
    const starpu_environment quiet;
    starpu_conf conf;
    if (starpu_conf_init(&conf) != 0)
        throw std::runtime_error("teff::mpi::procedure: StarPU has another version than the one that Teff was "
                                 "built with");
    conf.precedence_over_environment_variables = 1;
    conf.ncpus = wanted;
    conf.ncuda = conf.nopencl = conf.nmic = conf.nmpi_ms = 0;
    if (starpu_init(&conf) != 0)
        throw std::runtime_error("teff::mpi::procedure: StarPU does not start");
    workers_ = static_cast<int>(starpu_cpu_worker_get_count());
    if (threads && workers_ != wanted) {
        starpu_shutdown();
        throw std::invalid_argument("option threads: '" + std::to_string(wanted) +
                                    "' is not allowed; StarPU has " + std::to_string(workers_) +
                                    " workers here at most");
    }
    starpu_malloc_set_align(value_alignment);
    does_run_ = true;
}

void starpu_process::start_mpi(MPI_Comm comm) {
    if (starpu_mpi_init_comm(nullptr, nullptr, 0, comm) != 0)
        throw std::runtime_error("teff::mpi::procedure: StarPU-MPI does not start");
    does_communicate_ = true;
}

void starpu_process::stop() noexcept {
    if (!std::exchange(does_run_, false))
        return;
    if (does_communicate_)
        starpu_mpi_shutdown();
    starpu_shutdown();
}

}  // namespace teff::mpi
