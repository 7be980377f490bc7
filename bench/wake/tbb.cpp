// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wake with oneTBB's parallel_for.
#include <bench/harness/tbb.hpp>
#include <bench/wake/wake.hpp>

#include <tbb/parallel_for.h>

namespace bench {

outcome run_wake(const parameters& p) {
    return process_arena(p.threads).execute([&p] {
        return wake::measured(p, [](const wake::iteration& iterate) {
            tbb::parallel_for(0U, wake::iterations, [&iterate](unsigned) { iterate(); });
        });
    });
}

}  // namespace bench
