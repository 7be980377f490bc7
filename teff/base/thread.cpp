// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts threads, with the size of their stacks; and the list of a thread's calls at its end, with the key that makes
// them. See thread.hpp.
#include <teff/base/thread.hpp>

#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <pthread.h>
#include <unistd.h>
#include <utility>

namespace teff {
namespace {

// By default a stack has the system's size, but at least this many bytes: a worker runs any task of the program, whose
// author did not choose the size of the stack.
constexpr std::size_t least_worker_stack = std::size_t{1} << 20;
// The least that a program can choose: the runtime and the unwinder need some of it.
constexpr std::size_t least_chosen = std::size_t{64} << 10;

constinit atomic<std::size_t> chosen_size{0};

}  // namespace

void choose_stack_size(std::size_t bytes) noexcept {
    constexpr std::size_t page = 4096;
    if (bytes != 0)
        bytes = (std::clamp(bytes, least_chosen, SIZE_MAX / 2) + page - 1) / page * page;
    // relaxed, here and below: no other data is read through the number.
    chosen_size.store(bytes, std::memory_order_relaxed);
}

std::size_t next_stack_size() noexcept {
    if (const std::size_t chosen = chosen_size.load(std::memory_order_relaxed); chosen != 0)
        return chosen;
    pthread_attr_t attributes;
    std::size_t size = 0;
    if (pthread_attr_init(&attributes) != 0)
        return least_worker_stack;
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_destroy(&attributes);
    return std::max(size, least_worker_stack);
}

bool start_thread(void* (*run)(void*), void* argument) noexcept {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigset_t others;
    sigset_t before;
    sigfillset(&others);
    // A fault while its signal is blocked ends the process without a call of the program's handler.
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS})
        sigdelset(&others, fault);
    pthread_sigmask(SIG_SETMASK, &others, &before);
    pthread_t thread;
    const auto start = [&](std::size_t stack) {
        return pthread_attr_setstacksize(&attributes, stack) == 0 &&
               pthread_create(&thread, &attributes, run, argument) == 0;
    };
    bool started = start(next_stack_size());
    // relaxed: as above.
    if (!started && chosen_size.load(std::memory_order_relaxed) != 0) {
        const std::size_t refused = chosen_size.exchange(0, std::memory_order_relaxed);
        started = start(next_stack_size());
        if (started && refused != 0)
            warn("the system refuses a thread with a stack of %zu KiB: %zu KiB are used instead", refused / 1024,
                 next_stack_size() / 1024);
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    pthread_attr_destroy(&attributes);
    return started;
}

namespace {

constinit thread_local thread_end_call* last_registered = nullptr;

// A function may register others, and itself again.
void make_all_calls() noexcept {
    while (last_registered != nullptr) {
        thread_end_call& call = *std::exchange(last_registered, last_registered->next);
        call.is_registered = false;
        call.function();
    }
}

// Made at the first use, which may be in a constructor of another object.
class end_key {
public:
    end_key() noexcept : is_made_(::pthread_key_create(&key_, [](void*) { make_all_calls(); }) == 0) {}
    static const end_key& instance() noexcept {
        static const end_key only;
        return only;
    }

    // Any value but nullptr makes the thread's exit call the function.
    bool set() const noexcept { return is_made_ && ::pthread_setspecific(key_, &last_registered) == 0; }

private:
    pthread_key_t key_{};
    bool is_made_ = false;
};

}  // namespace

end_of_main_thread::end_of_main_thread() noexcept {
    // The library's only thread-local variable with a destructor.
    struct at_exit {
        ~at_exit() { make_all_calls(); }
        void use() const noexcept {}
    };
    static thread_local const at_exit of_main_thread;
    if (::getpid() == ::gettid())
        of_main_thread.use();
}

bool register_thread_end(thread_end_call& call) noexcept {
    if (!end_key::instance().set())
        return false;
    call.is_registered = true;
    call.next = std::exchange(last_registered, &call);
    return true;
}

}  // namespace teff
