// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a benchmark fits into memory. One that would not fit is refused instead of run: swapping spoils every other
// number, and the kernel's out-of-memory killer may choose another process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <teff/machine.hpp>

namespace teff::cli {

// Why a run that needs so many bytes must not start, or nothing.
[[nodiscard]] std::optional<std::string> refusal(std::uint64_t needed_bytes, const std::optional<free_memory>& free);

}  // namespace teff::cli
