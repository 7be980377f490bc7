// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts the program, passes signals on to it, and waits for its end; see traced_program.hpp.
//
// The child tells by a pipe that the exec has failed; the exec closes it.
#include <cli/trace/traced_program.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cli/run/launch.hpp>

namespace teff::cli {

namespace {

// Read by the handler.
volatile std::sig_atomic_t traced_process = 0;

void pass_on(int signal_number) {
    if (traced_process != 0)
        ::kill(static_cast<pid_t>(traced_process), signal_number);
}

// From construction to destruction the command ignores some signals and passes others on.
class outlives_signals {
public:
    outlives_signals() {
        for (std::size_t place = 0; place < signals.size(); ++place) {
            struct sigaction ours = {};
            const bool is_ignored = signals[place] == SIGINT || signals[place] == SIGQUIT;
            ours.sa_handler = is_ignored ? SIG_IGN : &pass_on;
            ::sigaction(signals[place], &ours, &before_[place]);
            // What this process ignores (nohup) stays ignored.
            if (before_[place].sa_handler == SIG_IGN)
                ::sigaction(signals[place], &before_[place], nullptr);
        }
    }
    ~outlives_signals() { restore(); }
    outlives_signals(const outlives_signals&) = delete;
    outlives_signals& operator=(const outlives_signals&) = delete;

    // For the child, too.
    void restore() const {
        for (std::size_t place = 0; place < signals.size(); ++place)
            ::sigaction(signals[place], &before_[place], nullptr);
    }

private:
    static constexpr std::array signals = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    std::array<struct sigaction, signals.size()> before_{};
};

[[noreturn]] void fail(const char* what) {
    throw launch_error(launch_error::own_failure, fmt::format("{}: {}", what, std::generic_category().message(errno)));
}

}  // namespace

int run_to_its_end(const std::filesystem::path& program, const std::vector<std::string>& words,
                   const std::vector<std::string>& environment) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        fail("no pipe can be made");
    const outlives_signals scope;
    const pid_t child = ::fork();
    if (child < 0)
        fail("no process can be made");
    if (child == 0) {
        scope.restore();
        become(program, words, environment);
        const int error = errno;
        (void)!::write(ends[1], &error, sizeof error);
        ::_exit(launch_error::not_executable);
    }
    traced_process = child;
    ::close(ends[1]);
    int error = 0;
    ssize_t count = 0;
    do
        count = ::read(ends[0], &error, sizeof error);
    while (count < 0 && errno == EINTR);
    ::close(ends[0]);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    traced_process = 0;
    if (count == sizeof error)
        throw not_executed(error, program);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace teff::cli
