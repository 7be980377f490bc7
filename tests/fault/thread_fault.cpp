// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wrapped pthread_create; see thread_fault.hpp. With TEFF_TEST_SHARED it takes the place of the C library's for the
// shared objects of the program, which the linker's option does not reach.
#include <tests/fault/thread_fault.hpp>

#include <cerrno>
#include <pthread.h>

namespace teff::testing {
thread_fault thread_faults;
}

#if defined(TEFF_TEST_SHARED)
#include <dlfcn.h>

namespace {
using creation = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
// Looked up before any allocation is refused.
creation* const real_create = reinterpret_cast<creation*>(::dlsym(RTLD_NEXT, "pthread_create"));
}  // namespace

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                              void* argument) noexcept {
    return teff::testing::thread_faults.refuses_next() ? EAGAIN : real_create(thread, attributes, run, argument);
}
#else
extern "C" {
int __real_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument);

int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
    if (teff::testing::thread_faults.refuses_next())
        return EAGAIN;
    return __real_pthread_create(thread, attributes, run, argument);
}
}
#endif
