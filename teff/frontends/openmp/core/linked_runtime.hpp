// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime that a program was linked with, by the name that it asks the loader for. Where the specification leaves a
// default to the runtime, the program gets the one that it had there (run-sched-var).
#pragma once

#include <string_view>

namespace teff::openmp {

enum class runtime_name : unsigned char { none, libgomp, libomp };  // libomp: also libiomp5

// The runtime that a file with this path is. Packages of Python change names: libgomp-e985bcbb.so.1.0.0.
runtime_name runtime_named(std::string_view path) noexcept;

// The runtime that the program asks for, or else the one that the first of its libraries asks for. An object that GCC
// built and that is linked with this runtime asks for both libgomp and libomp; it counts as one of libgomp.
runtime_name linked_runtime() noexcept;

}  // namespace teff::openmp
