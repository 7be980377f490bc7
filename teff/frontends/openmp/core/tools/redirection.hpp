// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes calls of one function go to another one, by a jump at the beginning of the first.
//
// A program that was linked with the runtime calls its functions directly. With a tool, all of them are redirected to
// the runtime for tools before the program begins, so that without a tool no call looks for one. Code of another
// function must not lie in the first `jump_size` bytes; the compiler aligns functions to that.
#pragma once

#include <cstddef>

namespace teff::openmp::tools {

inline constexpr std::size_t jump_size = 16;

using entry_point = void (*)();

// Redirects from[each] to to[each]. 0, or the error number of the system, which may forbid to change code. No other
// thread may run one of these functions meanwhile.
int redirect(const entry_point* from, const entry_point* to, std::size_t count) noexcept;

}  // namespace teff::openmp::tools
