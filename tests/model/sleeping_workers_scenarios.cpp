// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sleeping workers: each is claimed at most once, goes on only when the thread that claimed it is done with it, and
// gets its call.
#include "definition.hpp"

#include <teff/machine/sleeping_workers.hpp>

namespace scenarios {
namespace {

constexpr unsigned workers = 65;  // two words of bits
using sleepers = teff::sleeping_workers<unsigned, unsigned, workers>;

// `mask` represents the CPU masks of the threads: a thread that claims a worker writes the worker's mask, and then the
// worker writes it.
struct world {
    sleepers all;
    unsigned mask[workers] = {};

    void sleep(unsigned worker) {
        mask[worker] = 1;
        all.begin_sleep(worker, worker);
        all.end_sleep(worker, [&](unsigned call) {
            model::check(mask[worker] == 2, "a worker went on before the thread that claimed it was done");
            model::take(call);
            mask[worker] = 1;
        });
        model::check(mask[worker] == 1, "a worker went on without its whole mask");
    }
    // Each call has a number; one that finds no sleeper counts as answered.
    void claim(unsigned call) {
        const unsigned worker = all.claim([&](unsigned sleeper) {
            mask[sleeper] = 2;
            return call;
        });
        if (worker == workers)
            model::take(call);
    }
};

TEFF_SCENARIO(sleeping_workers, a_sleeper_is_claimed_by_one_of_two) {
    world here;
    model::parallel([&] { here.sleep(64); }, [&] { here.claim(0); }, [&] { here.claim(1); });
    model::expect_taken_once(2);
}

// The worker was called once before: what is left of that call must not end the wait for the next one.
TEFF_SCENARIO(sleeping_workers, a_worker_sleeps_twice) {
    world here;
    here.mask[64] = 1;
    here.all.begin_sleep(64, 64);
    here.claim(0);
    here.all.end_sleep(64, model::take);
    model::parallel([&] { here.sleep(64); }, [&] { here.claim(1); });
    model::expect_taken_once(2);
}

TEFF_SCENARIO(sleeping_workers, two_workers_with_bits_in_one_word) {
    world here;
    model::parallel([&] { here.sleep(0); }, [&] { here.sleep(1); });
}

TEFF_SCENARIO(sleeping_workers, two_sleepers_and_two_calls) {
    world here;
    model::parallel([&] { here.sleep(3); }, [&] { here.sleep(64); },
                    [&] {
                        here.claim(0);
                        here.claim(1);
                    });
    model::expect_taken_once(2);
}

TEFF_SCENARIO(sleeping_workers, two_threads_claim_different_sleepers) {
    world here;
    here.mask[0] = here.mask[1] = 1;
    here.all.begin_sleep(0, 0);
    here.all.begin_sleep(1, 1);
    unsigned claimed[2] = {};
    const auto claim = [&](unsigned by) { claimed[by] = here.all.claim([by](unsigned) { return by; }); };
    model::parallel([&] { claim(0); }, [&] { claim(1); });
    model::check(claimed[0] + claimed[1] == 1, "two threads have claimed one sleeper, or a sleeper was not found");
}

}  // namespace

std::span<const model::scenario> sleeping_workers_scenarios() { return defined_here; }

}  // namespace scenarios
