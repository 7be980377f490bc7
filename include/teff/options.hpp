// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of one call. An option that is not set here takes its value from its TEFF_* variable, or else the built-in
// default (docs/options.md lists all of them with their ranges).
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string_view>

namespace teff {

// An aggregate for designated initialisers: teff::reduce_tasks({.threads = 8, .scheduler = "demand"}, body, first).
// If a value cannot be used, the call throws std::invalid_argument with a message that names the option, the value, and
// the values that are allowed. The strings must stay valid until the call returns.
struct options {
    // Threads that work together, including the calling thread: 1 to 4096. A larger number is reduced to 4096 with a
    // warning.
    std::optional<long> threads = {};
    // A scheduler's name, as `teff info --schedulers` lists them.
    std::optional<std::string_view> scheduler = {};
    // The memory reclaimer: epoch, arena, hazard or, if libgc.so.1 is installed, gc. Used by schedulers that free
    // shared memory (blaze).
    std::optional<std::string_view> reclaimer = {};
    // The name of a dependence tracker (docs/dataflow.md), for dataflow.hpp; auto chooses by the number of threads.
    std::optional<std::string_view> tracker = {};
    // The number of tasks that one worker may have queued; beyond it the worker runs a new task at once. 0: no limit.
    std::optional<long> max_queued = {};
    // Whether tasks that a scheduler dealt to one worker are taken by others while it is inside a long task or blocked:
    // on or off. Used by xqueue_*, fifo and nemesis.
    std::optional<std::string_view> rescue = {};
    // The groups of workers to which fibers can be bound, and which share a queue with fifo and sherwood: how many, as
    // in "4", or per_worker, per_numa or auto.
    std::optional<std::string_view> shepherds = {};
    // After a stop request, running tasks finish and all other tasks are dropped. A reduction then returns the sum so
    // far; execute() throws stopped if that exception leaves the function it called.
    std::stop_token stop = {};
};

}  // namespace teff
