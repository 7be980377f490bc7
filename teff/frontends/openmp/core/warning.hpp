// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines about what a program or its environment asks for and cannot get. They begin as those of LLVM's runtime do,
// since scripts look for that.
#pragma once

namespace teff::openmp {

// Writes "OMP: Warning #NUMBER: TEXT" and the end of the line to stderr. The number identifies the kind of the warning.
void warn_of(unsigned number, const char* text) noexcept;
// Writes "OMP: Error #NUMBER: TEXT" and ends the program by exit(1).
[[noreturn]] void end_with_error(unsigned number, const char* text) noexcept;

// Numbers that do not come from a row of the table of variables.
inline constexpr unsigned warning_fewer_threads = 200, warning_affinity = 201, warning_directive = 202,
                          error_device = 203, warning_strict_threads = 204, error_strict_threads = 205;

}  // namespace teff::openmp
