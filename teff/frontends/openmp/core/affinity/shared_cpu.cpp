// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See shared_cpu.hpp.
#include <teff/frontends/openmp/core/affinity/shared_cpu.hpp>

namespace teff::openmp {

void move_to_another_cpu(int from) noexcept {
    constexpr unsigned calls_for_a_move = 16;
    static constinit thread_local unsigned calls = 0;
    if (calls++ % calls_for_a_move != 0)
        return;
    cpu_set_t all;
    if (from < 0 || from >= CPU_SETSIZE || ::sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < 2)
        return;
    cpu_set_t others = all;
    CPU_CLR(from, &others);
    if (::sched_setaffinity(0, sizeof others, &others) == 0)
        ::sched_setaffinity(0, sizeof all, &all);
}

}  // namespace teff::openmp
