// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fib as a reduction over tasks of this library.
#include <bench/fib/fib.hpp>
#include <bench/harness/teff.hpp>

namespace bench {

outcome run_fib(const parameters& p) {
    const std::size_t num = fib::argument(p);
    return fib::with_rule(p, [&](auto rule) {
        std::size_t answer = 0;
        const double seconds = time_seconds(
            [&] { answer = teff::reduce_tasks(options_of(p), fib::body<decltype(rule)>{rule}, num); });
        return fib::checked(p, seconds, answer);
    });
}

}  // namespace bench
