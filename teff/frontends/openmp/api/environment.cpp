// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Routines about the settings as a whole: omp_display_env (OpenMP 5.1, section 3.15), and LLVM's kmp_set_defaults,
// which takes a setting as it would be in the environment.
#include <teff/frontends/openmp/core/environment/icvs.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

using namespace teff::openmp;

extern "C" {

void omp_display_env(int is_verbose) { display_environment(is_verbose != 0); }
void omp_display_env_(const std::int32_t* is_verbose) { display_environment(*is_verbose != 0); }
void omp_display_env_8_(const std::int64_t* is_verbose) { display_environment(*is_verbose != 0); }

void kmp_set_defaults(const char* assignment) { take_setting(assignment); }
void kmpc_set_defaults(const char* assignment) { take_setting(assignment); }
// Fortran passes the length of a text, and no zero at its end.
void kmp_set_defaults_(const char* assignment, int length) {
    char copy[1024];
    const std::size_t size = length < 0 ? 0 : static_cast<std::size_t>(length);
    if (size >= sizeof copy)
        return;
    std::memcpy(copy, assignment, size);
    copy[size] = '\0';
    take_setting(copy);
}
}
