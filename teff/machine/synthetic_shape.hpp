// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The description of a machine that is not there, as a user or a test writes it: "sockets:8 cores:4 threads:2".
//
// It lets a small machine run the logic of a large one: which victims are near, who starts whom. Words may come in any
// order, between blanks or commas, each once; one left out counts as 1. `cores` is per socket, `threads` per core.
// Pure functions of values; any thread may call them.
#pragma once

#include <optional>
#include <string_view>

namespace teff {

// Most CPUs that a topology holds, real or synthetic.
inline constexpr int max_topology_cpus = 4096;

// Longest description, in characters.
inline constexpr int max_synthetic_text = 120;

struct synthetic_shape {
    int sockets = 1;
    int cores = 1;    // per socket
    int threads = 1;  // per core

    friend bool operator==(const synthetic_shape&, const synthetic_shape&) = default;
};

// The shape that `text` describes. Nothing if a word is unknown, comes twice or has no number from 1 on, if there is no
// word at all, if the text is longer than max_synthetic_text, or if the CPUs would be more than max_topology_cpus.
[[nodiscard]] std::optional<synthetic_shape> parse_synthetic_shape(std::string_view text) noexcept;

}  // namespace teff
