// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the function that Clang has made of a parallel region: its arguments are two addresses of thread numbers and
// then any number of words, which are only known as an array.
#pragma once

#include <cstdint>

namespace teff::openmp::kmpc {

using outlined_function = void (*)(std::int32_t* global_number, std::int32_t* number, ...);

// arguments: `count` words.
void call_outlined(outlined_function function, std::int32_t* global_number, std::int32_t* number, std::int64_t count,
                   void* const* arguments) noexcept;

}  // namespace teff::openmp::kmpc
