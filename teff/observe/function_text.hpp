// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derives the name of a slice of the trace from the symbol of the function that runs it. For the templates that run
// tasks, the name is the type of the user's function.
//
//   teff::forking::group_task<teff::task_group, main::{lambda()#1}>::run_and_end(teff::task_header&)
//       becomes main::{lambda()#1}
#pragma once

#include <cstddef>
#include <string_view>

namespace teff {

// The part of a demangled symbol that names the user's function; the whole symbol if it names no function of this
// library.
[[nodiscard]] std::string_view user_part(std::string_view demangled) noexcept;

// The template argument with this number (from 0), in a text that begins with the arguments; empty if there are fewer.
[[nodiscard]] std::string_view template_argument(std::string_view arguments, std::size_t number) noexcept;

}  // namespace teff
