// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a stress test performs on its structure: how many operations, and on which threads.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>

namespace stress {

// The variable STRESS_OPERATIONS, or a default that depends on the build: 10^8 in an optimised build, 10^7 otherwise,
// sanitizers included.
inline std::uint64_t operations() {
#if defined(NDEBUG)
    constexpr std::uint64_t by_build = 100'000'000;
#else
    constexpr std::uint64_t by_build = 10'000'000;
#endif
    const char* const wanted = std::getenv("STRESS_OPERATIONS");
    const std::uint64_t parsed = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 0;
    return parsed != 0 ? parsed : by_build;
}

// Calls work(0) to work(count - 1), each on a thread of its own, and returns when all have returned.
template <class Work>
void on_threads(unsigned count, const Work& work) {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < count; ++i)
        threads.emplace_back([&work, i] { work(i); });
    for (std::thread& each : threads)
        each.join();
}

}  // namespace stress
