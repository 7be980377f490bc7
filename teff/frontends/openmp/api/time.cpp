// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The timing routines (OpenMP 5.1, section 3.10).
#include <teff/base/clock.hpp>

#include <time.h>

extern "C" {

double omp_get_wtime() { return static_cast<double>(teff::monotonic_ns()) * 1e-9; }
double omp_get_wtick() {
    timespec resolution{};
    ::clock_getres(CLOCK_MONOTONIC, &resolution);
    return static_cast<double>(resolution.tv_sec) + static_cast<double>(resolution.tv_nsec) * 1e-9;
}
[[gnu::alias("omp_get_wtime")]] double omp_get_wtime_();
[[gnu::alias("omp_get_wtick")]] double omp_get_wtick_();
}
