// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See delay.hpp.
#include <bench/harness/delay.hpp>

#include <bench/harness/kernel.hpp>

#include <algorithm>

namespace bench {

void delay(std::uint64_t iterations) {
    for (std::uint64_t variable = 0; variable < iterations; ++variable)
        asm volatile("" : "+r"(variable));   // hides from the compiler that the value is unchanged
}

void dummy_loop(std::uint64_t iterations) {
    for (volatile std::uint64_t variable = 0; variable < iterations;) variable = variable + 1;
}

std::uint64_t measured_pace() {
    constexpr int trials = 30;
    constexpr double trial_seconds = 1e-3;
    std::uint64_t iterations = 1000;
    while (time_seconds([iterations] { delay(iterations); }) < trial_seconds) iterations *= 2;
    double least = time_seconds([iterations] { delay(iterations); });
    for (int trial = 1; trial < trials; ++trial)
        least = std::min(least, time_seconds([iterations] { delay(iterations); }));
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(static_cast<double>(iterations) / least * 1e-6));
}

std::uint64_t delay_iterations(std::uint64_t pace, std::uint64_t nanoseconds) {
    if (nanoseconds == 0) return 0;
    return std::max<std::uint64_t>(1, (pace * nanoseconds + 500) / 1000);
}

}  // namespace bench
