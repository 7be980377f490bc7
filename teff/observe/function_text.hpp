// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The name of a slice of the trace, from the symbol of the function that runs it: of the templates that run tasks, the
// type of the user's function is what a reader looks for.
//
//   teff::forking::group_task<teff::task_group, main::{lambda()#1}>::run_and_end(teff::task_header&)
//       becomes main::{lambda()#1}
#pragma once

#include <cstddef>
#include <string_view>

namespace teff {

// The part of a demangled symbol that names the user's function; all of it if it is no function of this library's.
[[nodiscard]] std::string_view user_part(std::string_view demangled) noexcept;

// The argument of that number of a template, in a text that begins with its arguments; empty if there are not as many.
[[nodiscard]] std::string_view template_argument(std::string_view arguments, std::size_t number) noexcept;

}  // namespace teff
