// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forks the workers, which share a counter of tasks, and waits for them by wait().
#include <model/farm.hpp>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace model {

shared_memory::shared_memory(std::size_t bytes) : bytes_(bytes + 1) {
    data_ = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (data_ == MAP_FAILED) {
        std::fprintf(stderr, "teff_model: no memory for the results of the workers\n");
        std::exit(2);
    }
}

shared_memory::~shared_memory() { ::munmap(data_, bytes_); }

void run_in_processes(unsigned jobs, unsigned count, const std::function<void(unsigned)>& task,
                      std::span<task_state> states) {
    const shared_memory counter(sizeof(std::atomic<unsigned>));
    auto& next = *static_cast<std::atomic<unsigned>*>(counter.data());
    const bool shows_progress = ::isatty(STDERR_FILENO) == 1;
    const auto work = [&] {
        for (unsigned i = next++; i < count; i = next++) {
            states[i] = task_state::begun;
            if (shows_progress)
                std::fprintf(stderr, "\r%u of %u ", i + 1, count);
            task(i);
            states[i] = task_state::done;
        }
    };
    std::fflush(nullptr);
    unsigned alive = 0;
    const auto start = [&] {
        const pid_t child = ::fork();
        if (child == 0) {
            work();
            ::_exit(0);
        }
        alive += child > 0 ? 1 : 0;
    };
    for (unsigned i = 0; i < jobs; ++i)
        start();
    unsigned replaced = 0;
    while (alive != 0) {
        int status = 0;
        if (::wait(&status) < 0) {
            if (errno == EINTR)
                continue;
            break;
        }
        --alive;
        const bool died = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
        if (died && next < count && ++replaced <= count)
            start();
    }
    // Runs the tasks that are left if no process could be started.
    work();
    if (shows_progress)
        std::fputs("\r                  \r", stderr);
}

}  // namespace model
