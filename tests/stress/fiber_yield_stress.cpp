// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fiber that yields until another one has run, which is the only task in its worker's queue, while another worker
// comes and goes: the other one always gets to run.
#include <tests/stress/operations.hpp>

#include <teff/base/light_standard.hpp>
#include <teff/fork_join.hpp>
#include <teff/schedulers.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <iterator>

namespace {

void compute(std::uint32_t steps) {
    for (std::uint32_t i = 0; i < steps; ++i)
        std::atomic_signal_fence(std::memory_order_seq_cst);
}

void yield_until_another_has_run(teff::random_generator& random) {
    constexpr std::uint32_t most_steps = 4000;
    const std::uint32_t steps = random.below(most_steps);
    // For the other worker.
    teff::fiber distracting([steps] { compute(steps); });
    compute(random.below(most_steps));
    std::atomic<bool> has_run{false};
    teff::fiber other([&] { has_run = true; });
    compute(random.below(most_steps));
    while (!has_run)
        teff::this_fiber::yield();
    other.join();
    distracting.join();
}

TEST(fiber_yield_stress, the_only_other_fiber_gets_to_run) {
    const auto schedulers = teff::schedulers();
    const std::uint64_t rounds = stress::operations() / 500 / std::size(schedulers);
    for (const teff::scheduler_traits& each : schedulers)
        teff::execute({.threads = 2, .scheduler = each.name}, [rounds] {
            teff::random_generator random(1);
            for (std::uint64_t round = 0; round < rounds; ++round)
                teff::fiber([&] { yield_until_another_has_run(random); }).join();
        });
}

}  // namespace
