// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The description of an imaginary machine, as a user or a test writes it: "sockets:8 numa:2 cores:4 threads:2".
//
// It lets a small machine run the logic of a large one: which victims are near, and which worker starts which others.
// The words may have any order and are separated by blanks or commas. Each may occur once; a missing word counts as
// 1. `numa` (NUMA domains) and `cores` are per socket, `threads` per core; the domains of a socket have as many cores
// each. Pure functions of values; any thread may call them.
#pragma once

#include <optional>
#include <string_view>

namespace teff {

// The largest number of CPUs in a topology, real or synthetic.
inline constexpr int max_topology_cpus = 4096;

// The longest description, in characters.
inline constexpr int max_synthetic_text = 120;

struct synthetic_shape {
    int sockets = 1;
    int cores = 1;    // per socket
    int threads = 1;  // per core
    int numa = 1;     // domains per socket, a divisor of `cores`

    friend bool operator==(const synthetic_shape&, const synthetic_shape&) = default;
};

// The shape that `text` describes. Returns nothing if a word is unknown, occurs twice or has no number of at least 1,
// if there is no word at all, if the text is longer than max_synthetic_text, if the cores of a socket cannot be divided
// among its NUMA domains, or if there would be more than max_topology_cpus CPUs.
[[nodiscard]] std::optional<synthetic_shape> parse_synthetic_shape(std::string_view text) noexcept;

}  // namespace teff
