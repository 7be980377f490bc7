// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts, watches and ends children; see child_process.hpp.
//
// The parent sleeps in poll() on three descriptors of each child: both pipes and a pidfd. The pidfd reports the child's
// end even if a grandchild still holds a pipe open; conversely, the end of a pipe does not mean that the child has
// ended. posix_spawn() returns after the exec, so the process group exists before the parent can first signal it.
#include <cli/bench/child_process.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <memory>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace teff::cli {

namespace {

constexpr std::size_t most_output = std::size_t{1} << 20;
constexpr std::array ending_signals = {SIGINT, SIGTERM, SIGHUP};

// Read by the signal handler below: the process groups to end; 0 is a free place.
volatile std::sig_atomic_t running_groups[most_children_at_once] = {};
// The handler defers the first signal if asked to, and leaves its number here.
volatile std::sig_atomic_t signals_are_deferred = 0;
volatile std::sig_atomic_t deferred_signal = 0;

void end_by(int signal_number) {
    ::signal(signal_number, SIG_DFL);
    ::raise(signal_number);
}

void end_groups_and_self(int signal_number) {
    for (const std::sig_atomic_t group : running_groups)
        if (group != 0)
            ::kill(-static_cast<pid_t>(group), SIGKILL);
    if (signals_are_deferred != 0 && deferred_signal == 0)
        deferred_signal = signal_number;
    else
        end_by(signal_number);
}

class descriptor {
public:
    descriptor() = default;
    explicit descriptor(int number) : number_(number) {}
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    ~descriptor() { close(); }

    void reset(int number) {
        close();
        number_ = number;
    }
    void close() {
        if (number_ >= 0)
            ::close(number_);
        number_ = -1;
    }
    [[nodiscard]] int number() const { return number_; }

private:
    int number_ = -1;
};

struct pipe_ends {
    descriptor reading;
    descriptor writing;

    [[nodiscard]] bool open() {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0)
            return false;
        reading.reset(ends[0]);
        writing.reset(ends[1]);
        return ::fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
    }
};

// Blocks the signals that end this process until the handler knows the new child's process group.
class signals_held_back {
public:
    signals_held_back() {
        sigset_t set;
        sigemptyset(&set);
        for (const int signal_number : ending_signals) {
            sigaddset(&set, signal_number);
            // A signal that this process ignores (nohup) stays ignored.
            if (::signal(signal_number, end_groups_and_self) == SIG_IGN)
                ::signal(signal_number, SIG_IGN);
        }
        ::pthread_sigmask(SIG_BLOCK, &set, &before_);
    }
    signals_held_back(const signals_held_back&) = delete;
    signals_held_back& operator=(const signals_held_back&) = delete;
    ~signals_held_back() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

    [[nodiscard]] const sigset_t& before() const { return before_; }

private:
    sigset_t before_{};
};

std::vector<std::string> child_environment(const child_request& request) {
    std::vector<std::string> result;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const std::string_view name = text.substr(0, text.find('='));
        bool passed_on = true;
        for (const auto& [replaced, value] : request.environment)
            passed_on = passed_on && name != replaced;
        for (const std::string& prefix : request.removed_prefixes)
            passed_on = passed_on && !name.starts_with(prefix);
        if (passed_on)
            result.emplace_back(text);
    }
    for (const auto& [name, value] : request.environment)
        result.push_back(name + "=" + value);
    return result;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

// Returns an error number, or 0 if the child runs. `place`: where the handler finds its process group.
int spawn(const child_request& request, const pipe_ends& output, const pipe_ends& errors, std::size_t place,
          pid_t& child) {
    std::vector<std::string> words = {request.program.string()};
    words.insert(words.end(), request.arguments.begin(), request.arguments.end());
    std::vector<std::string> variables = child_environment(request);
    const std::vector<char*> argument_pointers = pointers_to(words);
    const std::vector<char*> variable_pointers = pointers_to(variables);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output.writing.number(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors.writing.number(), STDERR_FILENO);

    const signals_held_back held;
    // Its handler found no child to end.
    if (deferred_signal != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return ECANCELED;
    }
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &held.before());
    // This process ignores that signal while it writes results (bench_command.cpp).
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    const int error = ::posix_spawn(&child, request.program.c_str(), &actions, &attributes, argument_pointers.data(),
                                    variable_pointers.data());
    if (error == 0)
        running_groups[place] = child;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

// Reads everything that is available; returns false at the end of the stream.
bool drain(const descriptor& source, std::string& text) {
    std::array<char, 16384> buffer;
    while (true) {
        const ssize_t count = ::read(source.number(), buffer.data(), buffer.size());
        if (count > 0) {
            const std::size_t room = most_output - std::min(most_output, text.size());
            text.append(buffer.data(), std::min(room, static_cast<std::size_t>(count)));
        } else if (count == 0) {
            return false;
        } else if (errno != EINTR) {
            return errno == EAGAIN;
        }
    }
}

// A descriptor that becomes readable when the child ends; negative if the system provides none.
int open_pidfd(pid_t child) {
    // By syscall(), since the C library's header does not declare its function for C++.
    return static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
}

// A child from its start to its end.
class running_child {
public:
    using clock = std::chrono::steady_clock;

    // Returns an error number, or 0 if the child runs. `place`: a free one for its process group.
    int start(std::size_t index, const child_request& request, std::size_t place) {
        index_ = index;
        place_ = place;
        if (!output_.open() || !errors_.open())
            return errno;
        if (const int error = spawn(request, output_, errors_, place, process_); error != 0)
            return error;
        deadline_ = clock::now() + std::chrono::duration_cast<clock::duration>(
                                       std::chrono::duration<double>(std::min(request.limit_seconds, most_seconds)));
        output_.writing.close();
        errors_.writing.close();
        handle_.reset(open_pidfd(process_));
        watched_ = {pollfd{handle_.number(), POLLIN, 0}, pollfd{output_.reading.number(), POLLIN, 0},
                    pollfd{errors_.reading.number(), POLLIN, 0}};
        return 0;
    }

    [[nodiscard]] std::size_t index() const { return index_; }
    [[nodiscard]] std::size_t place() const { return place_; }
    [[nodiscard]] clock::time_point deadline() const { return deadline_; }
    [[nodiscard]] const std::array<pollfd, 3>& watched() const { return watched_; }

    // Takes what poll() has said of its descriptors. True: it has ended by itself.
    bool has_ended(const pollfd* said) {
        if (said[1].revents != 0 && !drain(output_.reading, result_.output))
            watched_[1].fd = -1;
        if (said[2].revents != 0 && !drain(errors_.reading, result_.errors))
            watched_[2].fd = -1;
        if (said[0].revents != 0) {
            // Output from just before the child's end may have arrived after the reads above.
            drain(output_.reading, result_.output);
            drain(errors_.reading, result_.errors);
            return true;
        }
        // Without a pidfd (a sandbox may forbid it) the end of both streams counts as the child's end.
        return handle_.number() < 0 && watched_[1].fd < 0 && watched_[2].fd < 0;
    }

    child_result end(bool in_time) {
        // waitpid() has not been called yet, so the child's number, which is also the group's, cannot have been reused.
        if (!in_time || handle_.number() >= 0)
            ::kill(-process_, SIGKILL);
        running_groups[place_] = 0;
        int status = 0;
        while (::waitpid(process_, &status, 0) < 0 && errno == EINTR)
            continue;
        if (deferred_signal != 0) {
            result_.ending = child_ending::interrupted;
        } else if (!in_time) {
            result_.ending = child_ending::over_limit;
        } else if (WIFSIGNALED(status)) {
            result_.ending = child_ending::signalled;
            result_.code = WTERMSIG(status);
        } else {
            result_.ending = child_ending::exited;
            result_.code = WEXITSTATUS(status);
        }
        return std::move(result_);
    }

private:
    static constexpr double most_seconds = 1e9;

    std::size_t index_ = 0, place_ = 0;
    pid_t process_ = 0;
    pipe_ends output_, errors_;
    descriptor handle_;
    clock::time_point deadline_;
    std::array<pollfd, 3> watched_{};
    child_result result_;
};

// The children that run now.
class running_children {
public:
    [[nodiscard]] std::size_t count() const { return all_.size(); }

    int start(std::size_t index, const child_request& request) {
        auto made = std::make_unique<running_child>();
        const int error = made->start(index, request, free_place());
        if (error == 0)
            all_.push_back(std::move(made));
        return error;
    }

    // Sleeps until something happens, and tells the children that have ended or are over their limit.
    void watch(const child_ended& ended) {
        std::vector<pollfd> watched;
        auto deadline = running_child::clock::time_point::max();
        for (const auto& each : all_) {
            watched.insert(watched.end(), each->watched().begin(), each->watched().end());
            deadline = std::min(deadline, each->deadline());
        }
        const double left_ms =
            std::chrono::duration<double, std::milli>(deadline - running_child::clock::now()).count();
        // Rounded up: if rounded down, the last wait would be 0 ms, and the loop would spin until the deadline.
        const int wait_ms = static_cast<int>(std::ceil(std::clamp(left_ms, 0.0, 60'000.0)));
        const bool has_failed = ::poll(watched.data(), watched.size(), wait_ms) < 0;
        if (has_failed)
            for (pollfd& each : watched)
                each.revents = 0;
        const bool is_broken = has_failed && errno != EINTR;
        const auto now = running_child::clock::now();
        std::vector<std::unique_ptr<running_child>> before;
        before.swap(all_);
        for (std::size_t i = 0; i < before.size(); ++i) {
            running_child& each = *before[i];
            const bool in_time = each.has_ended(&watched[3 * i]);
            if (in_time || is_broken || now >= each.deadline())
                ended(each.index(), each.end(in_time));
            else
                all_.push_back(std::move(before[i]));
        }
    }

private:
    [[nodiscard]] std::size_t free_place() const {
        std::size_t place = 0;
        while (std::any_of(all_.begin(), all_.end(), [&](const auto& each) { return each->place() == place; }))
            ++place;
        return place;
    }

    std::vector<std::unique_ptr<running_child>> all_;
};

child_result not_started(const child_request& request, int error) {
    child_result result;
    if (deferred_signal != 0)
        result.ending = child_ending::interrupted;
    result.errors = request.program.string() + " cannot be started: " + std::generic_category().message(error);
    return result;
}

}  // namespace

void run_children(std::span<const child_request> requests, std::size_t at_once, const child_ended& ended) {
    running_children running;
    for (std::size_t next = 0; next < requests.size() || running.count() > 0;) {
        while (next < requests.size() && running.count() < std::min(at_once, most_children_at_once)) {
            if (const int error = running.start(next, requests[next]); error != 0)
                ended(next, not_started(requests[next], error));
            ++next;
        }
        if (running.count() > 0)
            running.watch(ended);
    }
}

child_result run_child(const child_request& request) {
    child_result result;
    run_children({&request, 1}, 1, [&](std::size_t, child_result found) { result = std::move(found); });
    return result;
}

void defer_ending_signals() { signals_are_deferred = 1; }

bool is_signal_deferred() { return deferred_signal != 0; }

void end_by_deferred_signal() {
    if (deferred_signal != 0)
        end_by(deferred_signal);
}

}  // namespace teff::cli
