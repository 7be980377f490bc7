// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocking system calls. A qthread hands the call to a thread that only makes such calls, and is suspended until the
// call has returned (suspend.hpp). If no such thread is idle, a new one is started, up to a limit. A thread that stays
// idle for some time ends.
#include <teff/qthread/io.h>
#include <teff/qthread/own_data.hpp>
#include <teff/qthread/qt_syscalls.h>
#include <teff/qthread/settings.hpp>

#include <teff/base/intrusive.hpp>
#include <teff/strand/running_thread.hpp>
#include <teff/suspend.hpp>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <type_traits>
#include <unistd.h>
#include <utility>

namespace {

using namespace teff::qthreads;

// A call that is queued or being made. It lies on the stack of the qthread that waits for it.
struct blocking_call : teff::list_hook {
    explicit blocking_call(void (*does)(blocking_call&) noexcept) noexcept : run(does) {}

    void (*const run)(blocking_call&) noexcept;
    teff::resume_handle caller;
    int error = 0;  // errno after the call
};

class call_threads {
public:
    // False: there is no thread, and none can be started. Then the caller must make the call itself.
    bool add(blocking_call& made) {
        const settings& limits = current_settings();
        std::unique_lock locked(guard_);
        if (idle_ <= waiting_ && threads_ < limits.io_workers && !start_thread(limits.io_timeout_us) && threads_ == 0)
            return false;
        calls_.push_back(made);
        ++waiting_;
        locked.unlock();
        added_.notify_one();
        return true;
    }

private:
    bool start_thread(unsigned timeout_us) {
        try {
            std::thread([this, timeout_us] { serve(std::chrono::microseconds(timeout_us)); }).detach();
        } catch (const std::exception&) {
            return false;
        }
        ++threads_;
        ++idle_;
        return true;
    }
    void serve(std::chrono::microseconds timeout) {
        std::unique_lock locked(guard_);
        while (waiting_ != 0 || added_.wait_for(locked, timeout, [this] { return waiting_ != 0; })) {
            blocking_call* const taken = calls_.first();
            calls_.remove(*taken);
            --waiting_;
            --idle_;
            locked.unlock();
            taken->run(*taken);
            teff::resume_handle caller = std::move(taken->caller);
            caller.resume();  // then the call may be gone
            locked.lock();
            ++idle_;
        }
        --idle_;
        --threads_;
    }

    std::mutex guard_;
    std::condition_variable added_;
    // under the guard
    teff::intrusive_list<blocking_call> calls_;
    unsigned waiting_ = 0;  // calls in the list
    unsigned threads_ = 0;
    unsigned idle_ = 0;     // threads that make no call
};
call_threads& threads() {
    static auto& of_process = *new call_threads;  // lives as long as the process
    return of_process;
}

// Out of line: the surrounding code may continue on another thread, so it must not keep the address of a thread-local
// variable.
[[gnu::noinline]] bool is_in_team() noexcept { return teff::running_thread.member != nullptr; }
[[gnu::noinline]] void set_error(int error) noexcept { errno = error; }

// Returns the result of function(). If the caller is in a team, one of the threads above calls function(), and the
// caller is suspended meanwhile. Otherwise the caller calls it.
template <class Function>
auto apart(const Function& function) -> std::invoke_result_t<Function> {
    using result_type = std::invoke_result_t<Function>;
    if (!is_in_team())
        return function();
    struct call final : blocking_call {
        explicit call(const Function& function) noexcept
            : blocking_call([](blocking_call& made) noexcept {
                  auto& self = static_cast<call&>(made);
                  self.result = self.made_of();
                  self.error = errno;
              }),
              made_of(function) {}
        const Function& made_of;
        result_type result{};
    } made(function);
    const scoped_asleep asleep;
    teff::suspend([&](teff::resume_handle caller) {
        made.caller = std::move(caller);
        bool is_added = false;
        code_of([&] { is_added = threads().add(made); });
        if (!is_added) {
            made.run(made);
            teff::resume_handle(std::move(made.caller)).resume();
        }
    });
    set_error(made.error);
    return made.result;
}

}  // namespace

extern "C" {

void qt_begin_blocking_action(void) { own().is_blocking = true; }
void qt_end_blocking_action(void) { own().is_blocking = false; }

int qt_accept(int socket, sockaddr* address, socklen_t* address_length) {
    return apart([=] { return ::accept(socket, address, address_length); });
}
int qt_connect(int socket, const sockaddr* address, socklen_t address_length) {
    return apart([=] { return ::connect(socket, address, address_length); });
}
int qt_poll(pollfd files[], nfds_t count, int timeout) {
    return apart([=] { return ::poll(files, count, timeout); });
}
ssize_t qt_pread(int file, void* buffer, std::size_t bytes, off_t offset) {
    return apart([=] { return ::pread(file, buffer, bytes, offset); });
}
ssize_t qt_pwrite(int file, const void* buffer, std::size_t bytes, off_t offset) {
    return apart([=] { return ::pwrite(file, buffer, bytes, offset); });
}
ssize_t qt_read(int file, void* buffer, std::size_t bytes) {
    return apart([=] { return ::read(file, buffer, bytes); });
}
int qt_select(int count, fd_set* read_files, fd_set* write_files, fd_set* error_files, timeval* timeout) {
    return apart([=] { return ::select(count, read_files, write_files, error_files, timeout); });
}
int qt_system(const char* command) {
    return apart([=] { return std::system(command); });
}
pid_t qt_wait4(pid_t process, int* status, int options, rusage* usage) {
    return apart([=] { return ::wait4(process, status, options, usage); });
}
ssize_t qt_write(int file, const void* buffer, std::size_t bytes) {
    return apart([=] { return ::write(file, buffer, bytes); });
}

}  // extern "C"
