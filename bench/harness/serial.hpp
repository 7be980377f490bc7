// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forks without threads: the serial version of the interface that a kernel uses if its recursion is written once for
// all runtimes.
//
// Such a recursion is a template over a class with these functions. The other runtimes have theirs in harness/teff.hpp,
// openmp.hpp and tbb.hpp. So every runtime makes the same splits and reaches the same leaves:
//   both(f, g)        calls both, possibly at the same time, and returns when both have returned
//   each(count, f)    the same for f(0) to f(count - 1)
// and one around the whole:
//   run(p, f)         calls f where tasks may be created, with p's threads; returns when f and all tasks have
// Only kernels with large leaves are written this way: there a task costs far more than the template may cost a
// compiler.
#pragma once

#include <bench/harness/kernel.hpp>

#include <cstddef>

namespace bench {

struct serial_forks {
    template <class F> static void run(const parameters&, const F& f) { f(); }

    template <class F, class G> static void both(const F& f, const G& g) {
        f();
        g();
    }

    template <class F> static void each(std::size_t count, const F& f) {
        for (std::size_t index = 0; index < count; ++index) f(index);
    }
};

}  // namespace bench
