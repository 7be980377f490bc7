// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// integrate with oneTBB's parallel_invoke, which waits for its two calls.
#include <bench/harness/tbb.hpp>
#include <bench/integrate/integrate.hpp>

#include <tbb/parallel_invoke.h>

namespace bench {
namespace {

integrate::result task(const integrate::segment& whole) {
    const integrate::halves cut(whole);
    if (cut.good_enough(whole)) return cut.as_result();
    integrate::result left;
    integrate::result right;
    tbb::parallel_invoke([&cut, &left] { left = task(cut.left); }, [&cut, &right] { right = task(cut.right); });
    return left + right;
}

}  // namespace

outcome run_integrate(const parameters& p) {
    const double end = integrate::upper_end(p);
    integrate::result found;
    const double seconds = time_seconds([&] { run_in_arena(p.threads, [&] { found = task(integrate::whole(end)); }); });
    return integrate::checked(p, seconds, found);
}

}  // namespace bench
