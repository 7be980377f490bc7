// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What idle threads cost a busy one: tasks without parallelism, each of which is waited for before the next one is
// made. All threads but one find nothing to do, or take a task that would have been run just as soon without them.
//
// The headline is the time per task beyond that of a plain loop. With one thread it is the cost of the task alone. A
// size is NANOSECONDSxTASKS, such as 100x100000: the length of a task, and how many follow each other.
#pragma once

#include <bench/harness/kernel.hpp>

#include <cstdint>
#include <functional>

namespace bench::chain {

using step = std::function<void()>;

// Measures tasks(count, step), which must call step() `count` times, each time in a task that it waits for. Call it
// inside of the runtime, on one of p.threads threads.
outcome measured(const parameters& p, const std::function<void(std::uint64_t, const step&)>& tasks);

}  // namespace bench::chain
