// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The message; see memory.hpp.
#include <cli/bench/memory.hpp>

#include <fmt/format.h>

#include <cli/text.hpp>

namespace teff::cli {

std::optional<std::string> refusal(std::uint64_t needed_bytes, const std::optional<free_memory>& free) {
    if (!free || needed_bytes <= free->bytes)
        return std::nullopt;
    return fmt::format("refused: needs about {}, more than the {} {}", format_bytes(needed_bytes),
                       format_bytes(free->bytes),
                       free->is_group_limit ? "left by the control group's limit" : "free on this machine");
}

}  // namespace teff::cli
