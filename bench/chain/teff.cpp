// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// chain with this library's groups and forks. The second function of a fork has nothing to do.
#include <bench/chain/chain.hpp>
#include <bench/harness/teff.hpp>

#include <teff/fork_join.hpp>
#include <teff/task_group.hpp>

namespace bench {
namespace {

void run_tasks(std::uint64_t count, const chain::step& step) {
    for (; count != 0; --count) {
        teff::task_group group;
        group.run([&step] { step(); });
        group.wait();
    }
}
void run_forks(std::uint64_t count, const chain::step& step) {
    for (; count != 0; --count) teff::fork_join([&step] { step(); }, [] {});
}

}  // namespace

outcome run_chain(const parameters& p) {
    return teff::execute(options_of(p),
                         [&p] { return chain::measured(p, p.variant == "fork" ? run_forks : run_tasks); });
}

}  // namespace bench
