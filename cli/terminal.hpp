// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How wide the terminal is that a stream goes to.
#pragma once

#include <optional>

namespace teff::cli {

// In characters; nothing if the descriptor is no terminal, so that logs and pipes get all there is. A terminal that
// does not tell its width has that of the variable COLUMNS, or else 80.
[[nodiscard]] std::optional<unsigned> terminal_width(int descriptor);

}  // namespace teff::cli
