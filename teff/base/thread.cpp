// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls pthread_create with all signals blocked, since a new thread inherits the signal mask of its creator.
#include <teff/base/thread.hpp>

#include <csignal>
#include <pthread.h>

namespace teff {

bool start_thread(void* (*run)(void*), void* argument) noexcept {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
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
