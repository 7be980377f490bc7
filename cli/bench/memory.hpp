// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much memory a new process may still take: the machine's free memory and the control group's limit, the smaller.
//
// Free is what the kernel calls MemAvailable. In a control group it is, at every ancestor that has a limit, the limit
// less what is in use; pages of inactive files count as free, because the kernel takes them back before it ends
// anybody. Both versions of control groups are read. What cannot be read sets no limit.
//
// A benchmark that would not fit is refused instead of run: swapping spoils every other number, and the kernel's
// out-of-memory killer may choose somebody else's process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace teff::cli {

struct free_memory {
    std::uint64_t bytes = 0;
    const char* bound = "";  // whose limit that is, for a message
};

// root is "/" except in tests, which hand in a tree of files. Empty when nothing is known.
[[nodiscard]] std::optional<free_memory> read_free_memory(const std::filesystem::path& root = "/");

// Why a run that needs so many bytes must not start, or nothing.
[[nodiscard]] std::optional<std::string> refusal(std::uint64_t needed_bytes, const std::optional<free_memory>& free);

}  // namespace teff::cli
