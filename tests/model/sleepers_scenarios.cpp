// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that sleep until a moment: each is woken, the one whose moment comes first before the others, also while the
// thread that wakes them sleeps for a later moment or for none. (Time limits never pass here, so a moment has come from
// the start, or never comes.)
#include "fiber_kit.hpp"
#include "definition.hpp"

#include <teff/base/futex.hpp>
#include <teff/frontends/threads/sleepers.hpp>

#include <cstdint>
#include <limits>

namespace scenarios {
namespace {

using teff::threads::sleeper;

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

struct shared_sleepers {
    teff::threads::sleepers all;

    void sleep_until(std::int64_t moment_ns, unsigned number) {
        sleeper self(moment_ns);
        model::check(all.add(self, [] { return true; }), "a sleeper was refused");
        self.here.wait({.kind = "a time", .event = "to come"});
        model::take(number);
    }
    void wake(unsigned count) {
        while (count != 0)
            count -= all.wake_first([](const teff::futex_word& changed, std::uint32_t seen) {
                teff::futex_wait(changed, seen);
            }) ? 1 : 0;
    }
};

TEFF_SCENARIO(sleepers, a_sleeper_is_woken) {
    shared_sleepers shared;
    model::parallel([&] { shared.sleep_until(0, 0); }, [&] { shared.wake(1); });
    model::expect_taken_once(1);
}

TEFF_SCENARIO(sleepers, two_sleepers_are_woken) {
    shared_sleepers shared;
    model::parallel([&] { shared.sleep_until(0, 0); },
                    as_fiber([&] { shared.sleep_until(-1, 1); }),
                    [&] { shared.wake(2); });
    model::expect_taken_once(2);
    model::check(shared.all.count() == 0, "a sleeper is left");
}

TEFF_SCENARIO(sleepers, an_earlier_moment_comes_while_the_thread_sleeps_for_a_later_one) {
    shared_sleepers shared;
    sleeper late(never);
    model::check(shared.all.add(late, [] { return true; }), "a sleeper was refused");
    model::parallel(
        as_fiber([&] { shared.sleep_until(0, 0); }),
        [&] { shared.wake(1); });
    model::expect_taken_once(1);
    model::check(shared.all.count() == 1, "a sleeper was woken too early");
}

}  // namespace

std::span<const model::scenario> sleepers_scenarios() { return in_prepared_process(defined_here); }

}  // namespace scenarios
