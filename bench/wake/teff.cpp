// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wake with this library's parallel_for.
#include <bench/harness/teff.hpp>
#include <bench/wake/wake.hpp>

#include <teff/parallel_for.hpp>

namespace bench {

outcome run_wake(const parameters& p) {
    return teff::execute(options_of(p), [&p] {
        return wake::measured(p, [](const wake::iteration& iterate) {
            teff::parallel_for(0U, wake::iterations, [&iterate](unsigned) { iterate(); });
        });
    });
}

}  // namespace bench
