// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See large_stack.hpp. The variable that sets the stack size of OpenMP threads also marks the restarted process.
#include <bench/harness/large_stack.hpp>

#include <cstdlib>

#include <sys/resource.h>
#include <unistd.h>

namespace bench {

void ensure_large_stacks(char** arguments) {
    constexpr rlim_t stack_bytes = rlim_t{64} << 20;
    constexpr const char* stack_variable = "OMP_STACKSIZE";
    if (std::getenv(stack_variable) != nullptr) return;
    rlimit limit{};
    if (getrlimit(RLIMIT_STACK, &limit) != 0) return;
    if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < stack_bytes) {
        limit.rlim_cur = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > stack_bytes ? stack_bytes : limit.rlim_max;
        if (setrlimit(RLIMIT_STACK, &limit) != 0) return;
    }
    if (setenv(stack_variable, "64M", 1) != 0) return;
    // If this fails, the run continues with the stacks that it has.
    execv("/proc/self/exe", arguments);
}

}  // namespace bench
