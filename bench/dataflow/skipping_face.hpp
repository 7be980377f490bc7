// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests that a program notices wrong answers: a face without threads that leaves out one task.
#pragma once

#include <bench/dataflow/serial_face.hpp>

#include <cstdint>

#include <gtest/gtest.h>

namespace bench {

struct skipping_face : serial_face {
    // The number of the task to leave out, and of the tasks so far. Nested tasks are not counted.
    static inline std::uint64_t skipped = 0;
    static inline std::uint64_t spawned = 0;
    static inline bool is_nested = false;

    template <class F> static void run(const parameters&, const F& f) {
        spawned = 0;
        f();
    }
    template <class F, class... Values> static void spawn(F f, Values*... values) {
        if (is_nested || spawned++ != skipped) f(*values...);
    }
    template <class F> static void nested(const F& f) {
        is_nested = true;
        f();
        is_nested = false;
    }
};

// The two functions are the program's measured<serial_face> and measured<skipping_face>.
inline void expect_each_skipped_task_is_noticed(const parameters& p, outcome (*measured)(const parameters&),
                                                outcome (*measured_skipping)(const parameters&)) {
    const std::uint64_t tasks = measured(p).tasks;
    for (std::uint64_t task = 0; task < tasks; ++task) {
        skipping_face::skipped = task;
        EXPECT_FALSE(measured_skipping(p).verified) << task;
        EXPECT_EQ(skipping_face::spawned, tasks);
    }
}

}  // namespace bench
