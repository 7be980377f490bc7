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
    return integrate::measured<tbb_forks>(p, [](const integrate::segment& whole) { return task(whole); });
}

}  // namespace bench
