// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of one call. What is not set here comes from the TEFF_* variables, then from the built-in defaults
// (docs/options.md lists all of them with their ranges).
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string_view>

namespace teff {

// An aggregate for designated initialisers: teff::reduce_tasks({.threads = 8, .scheduler = "demand"}, body, first).
// A value that cannot be used makes the call throw std::invalid_argument with a message that names option, value and
// what is allowed. The texts must live until the call returns.
struct options {
    // Threads that work together, the calling one included: 1 to 4096; more is cut down to that with a warning.
    std::optional<long> threads = {};
    // A name of `teff info --schedulers`.
    std::optional<std::string_view> scheduler = {};
    // epoch, arena, hazard or, where built in, gc; concerns schedulers that free shared memory (blaze).
    std::optional<std::string_view> reclaimer = {};
    // Tasks that one worker may have queued before it runs new ones at once; 0 is no limit.
    std::optional<long> max_queued = {};
    // When stop is requested, running tasks finish, the others are dropped, and a reduction returns what it
    // has so far; execute() throws stopped if that passes through its function.
    std::stop_token stop = {};
};

}  // namespace teff
