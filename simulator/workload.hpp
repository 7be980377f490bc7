// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that is simulated: a kernel through one of the runtime's faces. It calls the public interface, and its own
// work is declared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace simulator {

// The request for one run.
struct request {
    unsigned threads = 1;
    std::string scheduler = "demand";
    std::string tracker = "auto";
    long size = 0;  // of the kernel, in its own terms
};

struct workload {
    std::string_view kernel;
    std::string_view face;
    std::string_view size_is;  // what `size` counts
    long usual_size;
    // Runs the kernel once. Returns the number of its tasks, forks or iterations; 0 if its result is wrong.
    std::uint64_t (*run)(const request& wanted);
};

std::span<const workload> workloads() noexcept;

// Call it before a simulation: the library then reads its options from the environment, which takes no virtual time.
// Those of the request are put there.
void read_options(const request& wanted) noexcept;

// The calling task computes for so long. In teff_real_run, which has no simulator, it is a loop of so many steps.
#if defined(TEFF_REAL_RUN)
inline double steps_per_ns = 1;
inline void work_steps(std::uint64_t steps) noexcept {
    for (; steps != 0; --steps)
        asm volatile("" : "+r"(steps));
}
inline void work_ns(double time) noexcept { work_steps(static_cast<std::uint64_t>(time * steps_per_ns)); }
#else
void work_ns(double time) noexcept;
#endif

// Data that a task reads or changes, which moves to its core if it is not there. A processor asks for many lines at
// once, so all of them together take little longer than one.
struct used_data {
    const void* begin;
    std::size_t size;
    bool is_changed;
};
#if defined(TEFF_REAL_RUN)
inline void use(std::initializer_list<used_data> all) noexcept {
    for (const used_data& each : all) {
        for (std::size_t offset = 0; offset < each.size; offset += 64) {
            const auto* const word = static_cast<const volatile char*>(each.begin) + offset;
            const char seen = *word;
            if (each.is_changed)
                *const_cast<volatile char*>(word) = seen;
        }
    }
}
#else
void use(std::initializer_list<used_data> all) noexcept;
#endif

}  // namespace simulator
