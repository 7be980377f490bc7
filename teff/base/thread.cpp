// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls pthread_create with all signals blocked, since a new thread inherits the signal mask of its creator.
#include <teff/base/thread.hpp>

#include <csignal>
#include <cstddef>
#include <pthread.h>

namespace teff {
namespace {

// A stack has the system's default size, but at least so many bytes: a worker runs tasks that it did not choose, on a
// stack that their author did not choose either.
constexpr std::size_t least_worker_stack = std::size_t{1} << 20;

void set_stack_size(pthread_attr_t& attributes) noexcept {
    std::size_t size = 0;
    if (pthread_attr_getstacksize(&attributes, &size) == 0 && size < least_worker_stack)
        pthread_attr_setstacksize(&attributes, least_worker_stack);
}

}  // namespace

bool start_thread(void* (*run)(void*), void* argument) noexcept {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    set_stack_size(attributes);
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    const bool started = pthread_create(&thread, &attributes, run, argument) == 0;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    pthread_attr_destroy(&attributes);
    return started;
}

}  // namespace teff
