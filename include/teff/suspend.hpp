// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task waits for something outside of the library, such as input, without keeping its worker: it gives a handle to a
// callback, and goes on when the handle is called.
//
//   int length = 0;
//   teff::suspend([&](teff::resume_handle resume) {
//       reader.read_async(buffer, [&length, handle = std::move(resume)](int result) mutable {
//           length = result;
//           handle.resume();                 // on a thread of the reader
//       });
//   });
//   ...                                      // the task goes on here
//
// The worker does other work meanwhile. How depends on what the task runs on: a fiber is left, and continues on any
// worker. A task that is not a fiber stays where it is, on its worker's stack. Its worker runs other tasks, each on a
// fiber's stack, and continues it when one of them ends or waits. So a task that computes for long delays it; a program
// whose tasks are suspended often had better make them fibers (fiber.hpp). A thread that is in no team sleeps.
#pragma once

#include <teff/frontends/threads/suspension.hpp>

#include <exception>
#include <functional>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace teff {

// The right to resume one suspended task, once. It may be moved to any thread; one thread at a time may use it.
class [[nodiscard]] resume_handle {
public:
    // Refers to no task.
    resume_handle() noexcept = default;
    // For suspend().
    explicit resume_handle(threads::suspension& resumed) noexcept : of_(&resumed) {}
    // Takes the task of `other`, which then refers to none.
    resume_handle(resume_handle&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
    // What this handle referred to before is dropped, as by the destructor.
    resume_handle& operator=(resume_handle&& other) noexcept {
        resume_handle taken(std::move(other));
        std::swap(of_, taken.of_);
        return *this;
    }
    // The task's suspend() throws resume_dropped if resume() was not called.
    ~resume_handle() {
        if (of_ != nullptr)
            of_->drop();
    }

    // Whether it refers to a task that it can resume.
    bool valid() const noexcept { return of_ != nullptr; }
    // The task goes on. It may do so before this returns, and also before its suspend() waits. Throws std::logic_error
    // if the handle refers to no task.
    void resume() {
        if (of_ == nullptr)
            throw std::logic_error("teff: this resume_handle refers to no task: it was called before, or moved from");
        std::exchange(of_, nullptr)->resume();
    }

private:
    threads::suspension* of_ = nullptr;
};

// Calls callback(handle) and returns when the handle's resume() was called, on any thread: in the callback, before it
// has returned, or at any time later. Throws resume_dropped if the handle was destroyed instead. An exception of the
// callback is thrown when the handle was called or destroyed. Any thread; in a task of any kind, but not while it holds
// a lock that other tasks take.
template <class F>
void suspend(F&& callback) {
    constexpr bool is_callable = std::is_invocable_v<F, resume_handle>;
    if constexpr (!is_callable) {
        static_assert(is_callable, "teff: the callback given to suspend() must be callable with a resume_handle, as in "
                                   "suspend([&](teff::resume_handle handle) { ... })");
    } else {
        threads::suspension suspended;
        std::exception_ptr error;
        try {
            std::invoke(std::forward<F>(callback), resume_handle(suspended));
        } catch (...) {
            error = std::current_exception();
        }
        suspended.wait();
        if (error)
            std::rethrow_exception(std::move(error));
        if (suspended.was_dropped())
            throw resume_dropped();
    }
}

}  // namespace teff
