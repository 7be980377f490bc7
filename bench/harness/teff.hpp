// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options that a run passes to this library, and its forks.
#pragma once

#include <bench/harness/kernel.hpp>

#include <teff/fork_join.hpp>
#include <teff/reduce.hpp>

#include <cstddef>

namespace bench {

// The result refers to the texts in `p`.
inline teff::options options_of(const parameters& p) {
    return {.threads = static_cast<long>(p.threads), .scheduler = p.scheduler, .reclaimer = p.reclaimer,
            .tracker = p.tracker};
}

// Forks for recursions that are written once for every runtime (serial.hpp). A fork has two branches, so the calls of
// each() are the leaves of a binary tree of forks.
struct teff_forks {
    template <class F> static void run(const parameters& p, const F& f) { teff::execute(options_of(p), f); }

    template <class F, class G> [[gnu::always_inline]] static inline void both(const F& f, const G& g) {
        teff::fork_join(f, g);
    }

    template <class F> static void each(std::size_t count, const F& f) {
        if (count != 0) range(0, count, f);
    }

private:
    template <class F> static void range(std::size_t first, std::size_t last, const F& f) {
        if (last - first == 1) {
            f(first);
            return;
        }
        const std::size_t middle = first + (last - first) / 2;
        teff::fork_join([first, middle, &f] { range(first, middle, f); },
                        [middle, last, &f] { range(middle, last, f); });
    }
};

}  // namespace bench
