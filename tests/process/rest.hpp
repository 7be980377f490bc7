// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: whether the process comes to rest, so that it uses no CPU.
#pragma once

#include <cstdint>
#include <ctime>

namespace teff::testing {

inline std::int64_t cpu_time_ms() {
    timespec used{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return std::int64_t{used.tv_sec} * 1000 + used.tv_nsec / 1'000'000;
}

inline std::int64_t cpu_time_of_a_third_of_a_second_ms() {
    const std::int64_t before = cpu_time_ms();
    timespec left{0, 333'000'000};
    while (::nanosleep(&left, &left) != 0) {
    }
    return cpu_time_ms() - before;
}

// The process is at rest if it uses next to no CPU time for two thirds of a second in a row, and used little before.
// Beside busy processes the workers may take long until they sleep, but they use no more CPU time until then.
inline bool comes_to_rest() {
    constexpr std::int64_t margin_ms = 20, most_ms = 1000;
    const std::int64_t before = cpu_time_ms();
    int quiet = 0;
    for (int third = 0; third < 60 && quiet < 2 && cpu_time_ms() - before < most_ms; ++third)
        quiet = cpu_time_of_a_third_of_a_second_ms() < margin_ms ? quiet + 1 : 0;
    return quiet == 2;
}

}  // namespace teff::testing
