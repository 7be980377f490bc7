// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// chain with oneTBB's groups and parallel_invoke, whose second function has nothing to do.
#include <bench/chain/chain.hpp>
#include <bench/harness/tbb.hpp>

#include <tbb/parallel_invoke.h>
#include <tbb/task_group.h>

namespace bench {
namespace {

void run_tasks(std::uint64_t count, const chain::step& step) {
    for (; count != 0; --count) {
        tbb::task_group group;
        group.run([&step] { step(); });
        group.wait();
    }
}
void run_forks(std::uint64_t count, const chain::step& step) {
    for (; count != 0; --count) tbb::parallel_invoke([&step] { step(); }, [] {});
}

}  // namespace

outcome run_chain(const parameters& p) {
    return process_arena(p.threads).execute(
        [&p] { return chain::measured(p, p.variant == "fork" ? run_forks : run_tasks); });
}

}  // namespace bench
