// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forks without threads: what a kernel whose recursion is written once, for every runtime, takes in its serial version.
//
// Such a recursion is a template over a class with two functions, which the other runtimes have in harness/teff.hpp,
// openmp.hpp and tbb.hpp. Thus every runtime makes the same splits and ends in the same leaves:
//   both(f, g)        calls both, possibly at the same time, and returns when both have returned
//   each(count, f)    the same for f(0) to f(count - 1)
// Written so are kernels with large leaves, in which a task is far dearer than what the template may cost a compiler.
#pragma once

#include <cstddef>

namespace bench {

struct serial_forks {
    template <class F, class G> static void both(const F& f, const G& g) {
        f();
        g();
    }

    template <class F> static void each(std::size_t count, const F& f) {
        for (std::size_t index = 0; index < count; ++index) f(index);
    }
};

}  // namespace bench
