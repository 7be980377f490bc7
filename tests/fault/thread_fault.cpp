// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wrapped pthread_create; see thread_fault.hpp.
#include <tests/fault/thread_fault.hpp>

#include <cerrno>
#include <pthread.h>

namespace teff::testing {
thread_fault thread_faults;
}

extern "C" {
int __real_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument);

int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
    if (teff::testing::thread_faults.refuses_next())
        return EAGAIN;
    return __real_pthread_create(thread, attributes, run, argument);
}
}
