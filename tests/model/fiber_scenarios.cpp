// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fibers, and how they and threads wait (frontends/threads/fiber_state.hpp, parking.hpp). Each fiber runs once, and
// continues once after each wait, on one worker at a time, where what it left is seen. No waiter sleeps for ever, and
// each sees what was done before its wake-up. Nothing of a wait, of a fiber or of its stack is used once others may
// free it.
#include "definition.hpp"
#include "fiber_kit.hpp"

#include <teff/base/allocation.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/backoff.hpp>
#include <teff/base/locks.hpp>
#include <teff/fiber.hpp>
#include <teff/frontends/threads/binding.hpp>
#include <teff/frontends/threads/parking.hpp>
#include <teff/pool/pool.hpp>

#include <functional>
#include <new>

namespace scenarios {
namespace {

using teff::threads::parking;

// A waiter that another thread finds through a pointer, as in a list under a mutex. It frees its parking at once.
void wait_and_free(teff::atomic<parking*>& found_at, const unsigned& written) {
    auto* const mine = teff::create<parking>();
    model::check(mine != nullptr, "no memory for a parking");
    // release: the parking can be used; partner: the acquire in wake_with().
    found_at.store(mine, std::memory_order_release);
    mine->wait({.kind = "parking", .event = "to be woken"});
    model::check(written == 1, "what came before the wake-up was not seen");
    teff::destroy(mine);
}
template <class Yield = void (*)()>
void wake_with(teff::atomic<parking*>& found_at, unsigned& written, Yield yield = [] { teff::yield_thread(); }) {
    parking* waiter = nullptr;
    // acquire: partner: the release in wait_and_free().
    while ((waiter = found_at.load(std::memory_order_acquire)) == nullptr)
        yield();
    written = 1;
    waiter->wake();
}

TEFF_SCENARIO(fiber_parking, a_thread_is_woken) {
    teff::atomic<parking*> found_at{nullptr};
    unsigned written = 0;
    model::parallel([&] { wait_and_free(found_at, written); }, [&] { wake_with(found_at, written); });
}

TEFF_SCENARIO(fiber_parking, a_fiber_is_woken) {
    teff::atomic<parking*> found_at{nullptr};
    unsigned written = 0;
    model::parallel(
        as_fiber([&] { wait_and_free(found_at, written); }),
        [&] { wake_with(found_at, written); });
}

// Before it waits, or while it does.
TEFF_SCENARIO(fiber_parking, two_fibers_wake_each_other) {
    teff::atomic<parking*> first{nullptr};
    teff::atomic<parking*> second{nullptr};
    unsigned by_first = 0;
    unsigned by_second = 0;
    model::parallel(
        as_fiber([&] {
            wait_and_free(first, by_second);
            wake_with(second, by_first);
        }),
        as_fiber([&] {
            wake_with(first, by_second);
            wait_and_free(second, by_first);
        }));
}

TEFF_SCENARIO(fiber_parking, a_fiber_waits_twice) {
    teff::atomic<parking*> first{nullptr};
    teff::atomic<parking*> second{nullptr};
    unsigned written = 0;
    unsigned again = 0;
    model::parallel(
        as_fiber([&] {
            wait_and_free(first, written);
            wait_and_free(second, again);
        }),
        [&] {
            wake_with(first, written);
            wake_with(second, again);
        });
}

// A waiter that another thread finds under a lock, as in a list. It frees its parking at once.
struct found_under_lock {
    teff::spin_lock guard;
    parking* waiter = nullptr;
    bool is_open = false;
    unsigned written = 0;

    void wait() {
        guard.lock();
        if (is_open) {
            guard.unlock();
        } else {
            auto* const mine = teff::create<parking>();
            model::check(mine != nullptr, "no memory for a parking");
            waiter = mine;
            mine->release_and_wait(guard, {.kind = "parking", .event = "to be woken"});
            teff::destroy(mine);
        }
        model::check(written == 1, "what came before the wake-up was not seen");
    }
    void open() {
        written = 1;
        parking* found = nullptr;
        {
            const teff::scoped_lock locked(guard);
            is_open = true;
            found = waiter;
        }
        if (found != nullptr)
            found->wake();
    }
};

TEFF_SCENARIO(fiber_parking, a_thread_is_found_under_a_lock) {
    found_under_lock shared;
    model::parallel([&] { shared.wait(); }, [&] { shared.open(); });
}

TEFF_SCENARIO(fiber_parking, a_fiber_is_found_under_a_lock) {
    found_under_lock shared;
    model::parallel(
        as_fiber([&] { shared.wait(); }),
        [&] { shared.open(); });
}

// Calls the function as the caller of a team that a worker of the pool may join.
template <class F>
void beside_worker(F&& function, const char* scheduler = "demand") {
    teff::pool::instance().ensure_workers(1);
    const open_team team(2, scheduler);
    function();
}
// The same on a fiber, which the caller joins.
template <class F>
void on_fiber_beside_worker(F&& function, const char* scheduler = "demand") {
    beside_worker([&] { teff::fiber(std::ref(function)).join(); }, scheduler);
}

// Runs the fiber itself, or waits until the worker has.
TEFF_SCENARIO(fibers, a_thread_joins_a_fiber) {
    visit one(0);
    beside_worker([&] {
        teff::fiber first([&] { one(); });
        first.join();
        one.expect(1);
    });
    model::expect_taken_once(1);
}

// The joined fiber is called on the joiner's stack, or runs on the worker.
void a_fiber_joins_another_on(const char* scheduler) {
    visit one(0);
    on_fiber_beside_worker(
        [&] {
            teff::fiber other([&] { one(); });
            other.join();
            one.expect(1);
        },
        scheduler);
    model::expect_taken_once(1);
}
TEFF_SCENARIO(fibers, a_fiber_joins_another) { a_fiber_joins_another_on("demand"); }
TEFF_SCENARIO(fibers, a_fiber_joins_another_on_fifo) { a_fiber_joins_another_on("fifo"); }
TEFF_SCENARIO(fibers, a_fiber_joins_another_on_sherwood) { a_fiber_joins_another_on("sherwood"); }

// Two fibers on one stack, on two, or on two workers.
TEFF_SCENARIO(fibers, a_fiber_joins_two_others) {
    visit one(0), two(1);
    on_fiber_beside_worker([&] {
        teff::fiber first([&] { one(); });
        teff::fiber second([&] { two(); });
        first.join();
        second.join();
        one.expect(1);
        two.expect(2);
    });
    model::expect_taken_once(2);
}

// The fiber that is joined has a stack of its own, and waits for a thread that is no member.
TEFF_SCENARIO(fibers, a_fiber_joins_one_that_is_woken_from_outside) {
    teff::pool::instance().ensure_workers(1);
    teff::atomic<parking*> found_at{nullptr};
    unsigned written = 0;
    model::parallel(
        as_fiber([&] {
            teff::fiber other([&] {
                wait_and_free(found_at, written);
                model::take(0);
            });
            teff::this_fiber::yield();
            other.join();
        }),
        [&] { wake_with(found_at, written); });
    model::expect_taken_once(1);
}

// The fiber ends before, while or after its handle gives it up; then it frees itself.
TEFF_SCENARIO(fibers, a_fiber_is_detached) {
    visit one(0);
    beside_worker([&] { teff::fiber([&] { one(); }).detach(); });
    one.expect(1);
    model::expect_taken_once(1);
}

// It waits when the function that has started it ends. The team ends after it.
TEFF_SCENARIO(fibers, a_detached_fiber_waits_and_is_woken_from_outside) {
    teff::atomic<parking*> found_at{nullptr};
    unsigned written = 0;
    {
        const auto begin_another = [&] {
            const auto wait = [&] {
                wait_and_free(found_at, written);
                model::take(0);
            };
            teff::fiber(wait).detach();
            teff::this_fiber::yield();
        };
        auto starts = as_fiber(begin_another);
        model::parallel(starts, [&] { wake_with(found_at, written); });
    }
    model::expect_taken_once(1);
}

// Each of two shepherds has one member. The fiber begins on one of them and continues on the other.
TEFF_SCENARIO(fibers, a_fiber_migrates) {
    visit one(0);
    beside_worker(
        [&] {
            teff::fiber bound(teff::on_shepherd{1}, [&] {
                model::check(teff::this_fiber::shepherd() == 1, "a fiber began on another shepherd");
                teff::this_fiber::migrate_to(0);
                model::check(teff::this_fiber::shepherd() == 0, "a fiber went on on another shepherd");
                one();
            });
            bound.join();
            one.expect(1);
        },
        "fifo");
    model::expect_taken_once(1);
}

TEFF_SCENARIO(fibers, an_exception_of_a_fiber_comes_to_its_joiner) {
    int caught = 0;
    on_fiber_beside_worker([&] {
        teff::fiber other([] { throw 7; });
        try {
            other.join();
        } catch (const int thrown) {
            caught = thrown;
        }
    });
    model::check(caught == 7, "the exception was lost");
}

// Each continues once after each yield, perhaps on the other worker.
TEFF_SCENARIO(fibers, fibers_yield) {
    visit one(0), two(1);
    on_fiber_beside_worker([&] {
        const auto yield_and_call = [](visit& each) {
            return [&each] {
                teff::this_fiber::yield();
                teff::this_fiber::yield();
                each();
            };
        };
        teff::fiber first(yield_and_call(one));
        teff::fiber second(yield_and_call(two));
        first.join();
        second.join();
        one.expect(1);
        two.expect(2);
    });
    model::expect_taken_once(2);
}

// The fiber may be left by one worker, and continue on another one. The other worker may sleep meanwhile, or both.
void a_fiber_is_woken_from_outside_on(const char* scheduler) {
    teff::pool::instance().ensure_workers(1);
    teff::atomic<parking*> found_at{nullptr};
    unsigned written = 0;
    const auto join_other = [&] { teff::fiber([&] { wait_and_free(found_at, written); }).join(); };
    model::parallel(as_caller(join_other, 2, scheduler), [&] { wake_with(found_at, written); });
}
TEFF_SCENARIO(fibers, a_fiber_is_woken_from_outside) { a_fiber_is_woken_from_outside_on("demand"); }
TEFF_SCENARIO(fibers, a_fiber_is_woken_from_outside_on_fifo) { a_fiber_is_woken_from_outside_on("fifo"); }
TEFF_SCENARIO(fibers, a_fiber_is_woken_from_outside_on_sherwood) { a_fiber_is_woken_from_outside_on("sherwood"); }

// Two fibers of a team hand over to each other, on one worker or on two.
void fibers_wake_each_other_on(const char* scheduler) {
    teff::atomic<parking*> first{nullptr};
    teff::atomic<parking*> second{nullptr};
    unsigned by_first = 0;
    unsigned by_second = 0;
    const auto let_others_run = [] {
        teff::this_fiber::yield();
        teff::yield_thread();
    };
    on_fiber_beside_worker(
        [&] {
            teff::fiber other([&] {
                wait_and_free(first, by_second);
                wake_with(second, by_first, let_others_run);
            });
            wake_with(first, by_second, let_others_run);
            wait_and_free(second, by_first);
            other.join();
        },
        scheduler);
}
TEFF_SCENARIO(fibers, fibers_wake_each_other) { fibers_wake_each_other_on("demand"); }
TEFF_SCENARIO(fibers, fibers_wake_each_other_on_fifo) { fibers_wake_each_other_on("fifo"); }
TEFF_SCENARIO(fibers, fibers_wake_each_other_on_sherwood) { fibers_wake_each_other_on("sherwood"); }

// In a team of one, a fiber is made known to those that wake it before it is left.
TEFF_SCENARIO(fibers, a_fiber_alone_is_woken_from_outside) {
    teff::atomic<parking*> found_at{nullptr};
    unsigned written = 0;
    const auto join_other = [&] { teff::fiber([&] { wait_and_free(found_at, written); }).join(); };
    model::parallel(as_caller(join_other, 1), [&] { wake_with(found_at, written); });
}

// There it is also queued before it is left, when it yields to another one.
TEFF_SCENARIO(fibers, fibers_alone_yield_and_are_woken_from_outside) {
    teff::atomic<parking*> found_at{nullptr};
    unsigned written = 0;
    const auto yield_to_another = [&] {
        teff::fiber other([&] {
            wait_and_free(found_at, written);
            model::take(0);
        });
        teff::fiber third([&] {
            teff::this_fiber::yield();
            model::take(1);
        });
        teff::this_fiber::yield();
        model::take(2);
        third.join();
        other.join();
    };
    // The second fiber switches to those that it starts directly.
    const auto join_second = [&] {
        teff::fiber first([] { teff::this_fiber::yield(); });
        teff::fiber second(yield_to_another);
        first.join();
        second.join();
    };
    model::parallel(as_caller(join_second, 1), [&] { wake_with(found_at, written); });
    model::expect_taken_once(3);
}

// Bound fibers stay where they are bound when they yield, and when another fiber joins them.
TEFF_SCENARIO(fibers, a_bound_fiber_yields) {
    visit one(0), two(1);
    on_fiber_beside_worker(
        [&] {
            const auto yield_and_call = [](visit& each, unsigned home) {
                return [&each, home] {
                    teff::this_fiber::yield();
                    model::check(teff::this_fiber::shepherd() == home, "a fiber continued on another shepherd");
                    each();
                };
            };
            teff::fiber here(teff::on_shepherd{0}, yield_and_call(one, 0));
            teff::fiber there(teff::on_shepherd{1}, yield_and_call(two, 1));
            here.join();
            there.join();
        },
        "fifo");
    model::expect_taken_once(2);
}

// It ends with the exception, without having run.
TEFF_SCENARIO(fibers, a_fiber_gets_no_stack) {
    has_memory_for_stacks = false;
    bool was_refused = false;
    beside_worker([&] {
        teff::fiber other([] { model::take(0); });
        try {
            other.join();
        } catch (const std::bad_alloc&) {
            was_refused = true;
        }
    });
    model::check(was_refused && !model::was_taken(0), "a fiber without a stack did not fail");
}

}  // namespace

std::span<const model::scenario> fiber_scenarios() { return in_prepared_process(defined_here); }

}  // namespace scenarios
