// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short bursts of work: application threads that, again and again, hand over four short tasks and wait for them, in a
// group of their own or as a parallel loop of four iterations. With arenas all threads share one arena of --threads
// threads: they enter it for each burst and make a group there, or enqueue the tasks there.
//
// A run alternates between that and a plain loop over the same calls on the same threads. Its number is the ratio of
// the two times, and of the two CPU times. A size is THREADSxNANOSECONDSxBURSTS: the application threads, the length of
// a task, and the bursts of each thread and round. --threads is what the runtime may use besides.
#pragma once

#include <bench/harness/kernel.hpp>

#include <cstdint>
#include <functional>

namespace bench::bursts {

inline constexpr unsigned tasks = 4;

using task = std::function<void()>;
// Hands over a burst: calls the task `tasks` times and returns when all calls have ended.
using burst = std::function<void(const task&)>;

// How a runtime is used by the application's threads.
struct face {
    burst group, loop;
    burst arena = {}, enqueue = {};  // empty: the runtime has no arenas
    // Calls its argument on an application thread that uses the runtime.
    std::function<void(const std::function<void()>&)> on_thread = [](const std::function<void()>& body) { body(); };
};

outcome measured(const parameters& p, const face& runtime);

// Whether the variant uses an arena.
bool has_arena(const parameters& p);

}  // namespace bench::bursts
