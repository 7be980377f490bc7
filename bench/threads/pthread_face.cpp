// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See pthread_face.hpp.
#include <bench/threads/pthread_face.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <pthread.h>
#include <sched.h>

namespace bench::threads {

namespace {

// Returns the size before, or 0 if it is not known.
std::size_t set_default_stack(std::size_t bytes) {
    std::size_t before = 0;
    pthread_attr_t defaults;
    if (pthread_getattr_default_np(&defaults) != 0) return 0;
    pthread_attr_getstacksize(&defaults, &before);
    if (pthread_attr_setstacksize(&defaults, bytes) == 0) pthread_setattr_default_np(&defaults);
    pthread_attr_destroy(&defaults);
    return before;
}

}  // namespace

thread_settings::thread_settings(unsigned processors) {
    // The thread-local variables of all libraries lie on the stack; OpenBLAS, which some kernels need, has 60 KiB.
    constexpr std::size_t least_stack = std::size_t{96} << 10;
    stack_before_ = set_default_stack(std::max(stack_bytes(), least_stack));
    CPU_ZERO(&processors_before_);
    if (sched_getaffinity(0, sizeof processors_before_, &processors_before_) != 0) return;
    cpu_set_t used;
    CPU_ZERO(&used);
    for (std::size_t each = 0; each < CPU_SETSIZE && static_cast<unsigned>(CPU_COUNT(&used)) < processors; ++each)
        if (CPU_ISSET(each, &processors_before_)) CPU_SET(each, &used);
    sched_setaffinity(0, sizeof used, &used);
}

thread_settings::~thread_settings() {
    if (stack_before_ != 0) set_default_stack(stack_before_);
    if (CPU_COUNT(&processors_before_) != 0) sched_setaffinity(0, sizeof processors_before_, &processors_before_);
}

void refuse_further_threads() {
    std::fputs("teff-bench: the system has no room for another thread; choose a smaller --size\n", stderr);
    std::_Exit(2);   // usage, in harness/runner.cpp
}

}  // namespace bench::threads
