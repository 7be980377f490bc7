// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The face of the runtime pthread (threads.hpp): std::thread. All threads together have as many processors as the other
// runtimes have workers, and each has a stack as large as that of a fiber.
#pragma once

#include <bench/threads/locked_variable.hpp>
#include <bench/threads/threads.hpp>

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include <sched.h>

namespace bench::threads {

// While it lives, threads have by default a stack as large as that of a fiber, and the calling thread and those that it
// starts run on so many processors. What the system refuses stays as it was.
class thread_settings {
public:
    explicit thread_settings(unsigned processors);
    ~thread_settings();
    thread_settings(const thread_settings&) = delete;
    thread_settings& operator=(const thread_settings&) = delete;

private:
    std::size_t stack_before_ = 0;
    cpu_set_t processors_before_;
};

// Ends the process as a run that is refused, where the system has no room for another thread: it may happen on any
// thread, and an exception could not leave that.
[[noreturn]] void refuse_further_threads();

struct pthread_face {
    template <class F> static void run(const parameters& p, const F& f) {
        const thread_settings all(p.threads);
        f();
    }
    template <class... F> static void all(const F&... f) { const std::jthread started[] = {start(std::cref(f))...}; }
    template <class F> static void each(std::size_t count, const F& f) {
        std::vector<std::jthread> started;
        started.reserve(count);
        for (std::size_t index = 0; index < count; ++index)
            started.push_back(start([&f, index] { f(index); }));
    }

    using thread = std::jthread;
    using mutex = std::mutex;
    static void yield() { std::this_thread::yield(); }
    template <class T> using variable = locked_variable<T, std::mutex, std::condition_variable>;
    using event = locked_event<std::mutex, std::condition_variable>;

private:
    template <class F> static std::jthread start(const F& f) {
        try {
            return std::jthread(f);
        } catch (const std::system_error&) {
            refuse_further_threads();
        }
    }
};

}  // namespace bench::threads
