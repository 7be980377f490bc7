// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens the file of a record, and warns if that fails; waits for the signals on a thread of its own. See
// record_file.hpp.
#include <teff/observe/record_file.hpp>

#include <teff/base/assert.hpp>
#include <teff/base/futex.hpp>
#include <teff/base/thread.hpp>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <unistd.h>

namespace teff {

void record_file::warn_of(std::string_view name, const file_problem& problem) const noexcept {
    teff::warn("%s: the file '%.*s' cannot be written: %s; there is no %s; %s", variable_,
               static_cast<int>(name.size()), name.data(), problem.why, content_, problem.remedy);
}

// Makes a relative name absolute, since the program may change its working folder later. Returns 0 or the number of an
// error.
int record_file::keep_name(std::string_view name) noexcept {
    std::size_t length = 0;
    if (!name.starts_with('/')) {
        if (::getcwd(name_, sizeof name_) == nullptr)
            return errno;
        length = std::strlen(name_);
        name_[length++] = '/';
    }
    if (length + name.size() >= sizeof name_)
        return ENAMETOOLONG;
    name.copy(name_ + length, name.size());
    name_[length + name.size()] = '\0';
    return 0;
}

bool record_file::begin(std::string_view name) noexcept {
    const int error = keep_name(name);
    const file_problem found = error != 0 ? problem_of(error) : file_.find_problem(name_);
    if (!found)
        return true;
    warn_of(name, found);
    return false;
}

namespace {

constexpr int watched_signals[] = {SIGINT, SIGTERM, SIGHUP};

constinit futex_word arrived_signal{0};  // the signal's number; 0: none has arrived
using plain_function = void (*)();
constinit plain_function what_to_do = nullptr;

void use_default(int signal_number) noexcept {
    struct sigaction usual = {};
    usual.sa_handler = SIG_DFL;
    ::sigaction(signal_number, &usual, nullptr);
}

void note_interrupt(int signal_number) noexcept {
    const int error = errno;
    // relaxed: the wake-up orders it for the thread; only this word is read.
    if (arrived_signal.exchange(static_cast<std::uint32_t>(signal_number), std::memory_order_relaxed) != 0) {
        use_default(signal_number);
        ::kill(::getpid(), signal_number);
    } else {
        futex_wake(arrived_signal.address(), 1);
    }
    errno = error;
}

void* await_interrupt(void*) noexcept {
    // relaxed, both: as above.
    while (arrived_signal.load(std::memory_order_relaxed) == 0)
        futex_wait(arrived_signal, 0);
    const int signal_number = static_cast<int>(arrived_signal.load(std::memory_order_relaxed));
    what_to_do();
    use_default(signal_number);
    // Sent to the process, since this thread blocks all signals.
    ::kill(::getpid(), signal_number);
    return nullptr;
}

bool is_ours(int signal_number) noexcept {
    struct sigaction present = {};
    return ::sigaction(signal_number, nullptr, &present) == 0 && present.sa_handler == &note_interrupt;
}

}  // namespace

void act_before_interrupts(void (*action)()) noexcept {
    what_to_do = action;
    if (!start_thread(await_interrupt, nullptr))
        return;
    for (const int each : watched_signals) {
        struct sigaction present = {};
        if (::sigaction(each, nullptr, &present) != 0 || present.sa_handler != SIG_DFL)
            continue;
        struct sigaction ours = {};
        ours.sa_handler = &note_interrupt;
        ours.sa_flags = SA_RESTART;
        ::sigaction(each, &ours, nullptr);
    }
}

void leave_interrupts() noexcept {
    for (const int each : watched_signals)
        if (is_ours(each))
            use_default(each);
    // relaxed: the child has one thread.
    arrived_signal.store(0, std::memory_order_relaxed);
}

}  // namespace teff
