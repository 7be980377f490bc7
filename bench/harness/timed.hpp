// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A computation with its time: what the versions for OpenMP and for oneTBB return from the frames around their tasks
// (openmp.hpp, tbb.hpp).
#pragma once

#include <bench/harness/kernel.hpp>

namespace bench {

template <class Result> struct timed {
    double seconds = 0;
    Result found = {};
};

// Calls task(), whose tasks wait for those that they created, with a runtime's forks (serial.hpp).
template <class Forks, class Task> auto timed_call(const parameters& p, const Task& task) {
    timed<decltype(task())> made;
    made.seconds = time_seconds([&] { Forks::run(p, [&] { made.found = task(); }); });
    return made;
}

}  // namespace bench
