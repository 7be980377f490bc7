// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How fibers and threads wait (frontends/threads/parking.hpp), full/empty variables, and fiber_mutex: no waiter sleeps
// for ever, each sees what was done before its wake-up, nothing of it is used afterwards, and each value is taken once.
//
// The fibers here are stand-ins, without a stack of their own: a thread of the scenario is first the fiber, and when
// the fiber parks, the worker that leaves it and then the one that enters it when it is ready.
#include "fiber_kit.hpp"
#include "scenarios.hpp"

#include <teff/base/allocation.hpp>
#include <teff/base/backoff.hpp>
#include <teff/base/spin_lock.hpp>
#include <teff/frontends/threads/fiber_mutex.hpp>
#include <teff/frontends/threads/fiber_state.hpp>
#include <teff/frontends/threads/parking.hpp>
#include <teff/frontends/threads/sync_var.hpp>
#include <teff/runtime/running_strand.hpp>

#include <mutex>

namespace teff::threads {

fiber_state::fiber_state(const actions& does, const site& made) noexcept : does_(does), made_(made) {}

// Reports have no part in the protocol.
void expect_waits() noexcept {}

fiber_state* fiber_state::that_can_wait() noexcept { return running_strand().fiber; }

// `body_` has this value while the fiber is parked. It is in ordinary memory, since a fiber is made ready by a thread
// that may enter it.
fiber_body* const parked = reinterpret_cast<fiber_body*>(alignof(fiber_body));

// `joined_` is the queue that the fiber is made ready in.
void fiber_state::park(fiber_body::condition stays, void* argument) noexcept {
    body_ = parked;
    if (!stays(argument)) {
        body_ = nullptr;
        return;
    }
    // acquire: the fiber is ready; partner: the release in make_ready().
    while (joined_.load(std::memory_order_acquire) == is_open)
        yield_thread();
    // relaxed: for the next wait of the same fiber.
    joined_.store(is_open, std::memory_order_relaxed);
    model::check(body_ == nullptr, "a fiber was entered before it was made ready");
}

void fiber_state::make_ready() noexcept {
    model::check(body_ == parked, "a fiber that does not wait was made ready");
    body_ = nullptr;
    // release: as a queue's.
    joined_.store(has_ended, std::memory_order_release);
}

}  // namespace teff::threads

namespace scenarios {
namespace {

using teff::threads::parking;
using variable = teff::sync_var<unsigned>;

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
void wake_with(teff::atomic<parking*>& found_at, unsigned& written) {
    parking* waiter = nullptr;
    // acquire: partner: the release in wait_and_free().
    while ((waiter = found_at.load(std::memory_order_acquire)) == nullptr)
        teff::yield_thread();
    written = 1;
    waiter->wake();
}

void a_thread_is_woken() {
    teff::atomic<parking*> found_at{nullptr};
    unsigned written = 0;
    model::parallel([&] { wait_and_free(found_at, written); }, [&] { wake_with(found_at, written); });
}

void a_fiber_is_woken() {
    teff::atomic<parking*> found_at{nullptr};
    unsigned written = 0;
    model::parallel(
        [&] {
            const as_fiber here;
            wait_and_free(found_at, written);
        },
        [&] { wake_with(found_at, written); });
}

// Before it waits, or while it does.
void two_fibers_wake_each_other() {
    teff::atomic<parking*> first{nullptr};
    teff::atomic<parking*> second{nullptr};
    unsigned by_first = 0;
    unsigned by_second = 0;
    model::parallel(
        [&] {
            const as_fiber here;
            wait_and_free(first, by_second);
            wake_with(second, by_first);
        },
        [&] {
            const as_fiber here;
            wake_with(first, by_second);
            wait_and_free(second, by_first);
        });
}

void a_fiber_waits_twice() {
    teff::atomic<parking*> first{nullptr};
    teff::atomic<parking*> second{nullptr};
    unsigned written = 0;
    unsigned again = 0;
    model::parallel(
        [&] {
            const as_fiber here;
            wait_and_free(first, written);
            wait_and_free(second, again);
        },
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

void a_thread_is_found_under_a_lock() {
    found_under_lock shared;
    model::parallel([&] { shared.wait(); }, [&] { shared.open(); });
}

void a_fiber_is_found_under_a_lock() {
    found_under_lock shared;
    model::parallel(
        [&] {
            const as_fiber here;
            shared.wait();
        },
        [&] { shared.open(); });
}

// As join() does: the word has the address of the parking, or says that there is no need to wait.
struct awaited_end {
    static constexpr std::uintptr_t is_open = 0, has_ended = 1;
    teff::atomic<std::uintptr_t> word{is_open};
    unsigned outcome = 0;

    void wait() {
        struct {
            awaited_end* end;
            parking here;
        } both{this, {}};
        both.here.wait_if(
            {.kind = "parking", .event = "to be woken"},
            [](void* argument) noexcept {
                auto& [end, here] = *static_cast<decltype(both)*>(argument);
                std::uintptr_t seen = is_open;
                // As in fiber_state::join().
                return end->word.compare_exchange_strong(seen, reinterpret_cast<std::uintptr_t>(&here),
                                                         std::memory_order_release, std::memory_order_acquire);
            },
            &both);
        model::check(outcome == 1, "the end came before the outcome");
    }
    // For a fiber whose worker takes the fiber of `other` out of its queue, and enters that one.
    void wait_for(teff::threads::fiber_state& other) {
        parking here(*teff::threads::fiber_state::that_can_wait());
        // As in fiber_state::join().
        word.store(reinterpret_cast<std::uintptr_t>(&here), std::memory_order_relaxed);
        teff::threads::fiber_state::that_can_wait()->park(
            [](void* argument) noexcept {
                static_cast<teff::threads::fiber_state*>(argument)->make_ready();
                return true;
            },
            &other);
        model::check(outcome == 1, "the end came before the outcome");
    }
    void end() {
        outcome = 1;
        // As in fiber_state::end().
        std::uintptr_t seen = word.load(std::memory_order_acquire);
        if (seen == is_open)
            seen = word.exchange(has_ended, std::memory_order_acq_rel);
        if (seen != is_open)
            reinterpret_cast<parking*>(seen)->wake();
    }
};

void a_thread_waits_unless_it_has_ended() {
    awaited_end shared;
    model::parallel([&] { shared.wait(); }, [&] { shared.end(); });
}

void a_fiber_waits_unless_it_has_ended() {
    awaited_end shared;
    model::parallel(
        [&] {
            const as_fiber here;
            shared.wait();
        },
        [&] { shared.end(); });
}

// The fiber that is joined may go on to another worker before it ends.
void a_fiber_is_left_for_the_one_that_it_joins() {
    awaited_end shared;
    teff::threads::fiber_state* joined = nullptr;
    teff::atomic<bool> is_parked{false};
    model::parallel(
        [&] {
            const as_fiber here;
            joined = teff::threads::fiber_state::that_can_wait();
            joined->park(
                [](void* flag) noexcept {
                    // release: the joiner may make the fiber ready; partner: the acquire below.
                    static_cast<teff::atomic<bool>*>(flag)->store(true, std::memory_order_release);
                    return true;
                },
                &is_parked);
            shared.end();
        },
        [&] {
            // acquire: partner: the release above.
            model::wait_until([&] { return is_parked.load(std::memory_order_acquire); });
            const as_fiber here;
            shared.wait_for(*joined);
        });
}

// A variable, and in ordinary memory what its values stand for.
struct shared_work {
    variable slot;
    unsigned made[2] = {};

    void write(unsigned item) {
        made[item] = 1;
        slot.write_ef(item);
    }
    void take() {
        const unsigned item = slot.read_fe();
        model::check(made[item] == 1, "a value came before what its writer did");
        model::take(item);
    }
    void expect_all_taken() const {
        model::expect_taken_once(2);
        model::check(!slot.is_full() && slot.check_invariants() == nullptr, "the variable was left full");
    }
};

void a_reader_destroys_the_variable() {
    auto* const shared = teff::create<shared_work>();
    model::check(shared != nullptr, "no memory for a variable");
    model::parallel([=] { shared->write(0); },
                    [=] {
                        const as_fiber here;
                        shared->take();
                        teff::destroy(shared);
                    });
    model::expect_taken_once(1);
}

void all_readers_see_a_value_that_stays() {
    variable slot;
    const auto reader = [&] { model::check(slot.read_ff() == 7, "another value was read"); };
    model::parallel(reader,
                    [&] {
                        const as_fiber here;
                        reader();
                    },
                    [&] { slot.write_ef(7); });
    model::check(slot.is_full(), "reading emptied the variable");
}

void a_replaced_value_is_read() {
    variable slot;
    model::parallel([&] { slot.write_ff(8); }, [&] { slot.write_ef(7); });
    model::check(slot.read_fe() == 8, "the value was not replaced");
}

// The reset comes before or after the write that waits for an empty variable.
void a_reset_lets_a_writer_go_on() {
    variable slot(1);
    model::parallel(
        [&] {
            const as_fiber here;
            slot.write_ef(2);
        },
        [&] { slot.reset(); });
    model::check(slot.is_full() && slot.read_fe() == 2, "the write was lost");
}

// The count is in ordinary memory, so that the checker reports a race if two threads hold the mutex at the same time.
struct guarded_count {
    teff::fiber_mutex mutex;
    unsigned count = 0;

    void add_one() {
        const std::lock_guard locked(mutex);
        ++count;
    }
    bool try_to_add_one() {
        const std::unique_lock locked(mutex, std::try_to_lock);
        if (locked.owns_lock())
            ++count;
        return locked.owns_lock();
    }
};

template <unsigned Times>
void holders_exclude_each_other() {
    guarded_count shared;
    const auto add = [&] {
        for (unsigned i = 0; i < Times; ++i)
            shared.add_one();
    };
    model::parallel(add, [&] {
        const as_fiber here;
        add();
    });
    model::check(shared.count == 2 * Times, "an addition was lost");
    model::check(shared.mutex.try_lock(), "the mutex is still held");
}

void three_holders_exclude_each_other() {
    guarded_count shared;
    const auto add_on_fiber = [&] {
        const as_fiber here;
        shared.add_one();
    };
    model::parallel(add_on_fiber, [&] { shared.add_one(); }, add_on_fiber);
    model::check(shared.count == 3, "an addition was lost");
    model::check(shared.mutex.try_lock(), "the mutex is still held");
}

void a_try_succeeds_or_the_mutex_is_held() {
    guarded_count shared;
    unsigned added = 0;
    model::parallel([&] { shared.add_one(); },
                    [&] {
                        const as_fiber here;
                        shared.add_one();
                    },
                    [&] { added = shared.try_to_add_one() ? 1 : 0; });
    model::check(shared.count == 2 + added, "an addition was lost");
    model::check(shared.mutex.try_lock(), "the mutex is still held");
}

// The first holder has the mutex before the other threads begin to wait for it; the last one destroys it.
void the_last_holder_destroys_the_mutex() {
    auto* const shared = teff::create<guarded_count>();
    model::check(shared != nullptr, "no memory for a mutex");
    const auto add_one_and_destroy = [shared] {
        shared->mutex.lock();
        const bool is_last = ++shared->count == 3;
        shared->mutex.unlock();
        if (is_last)
            teff::destroy(shared);
    };
    shared->mutex.lock();
    model::parallel(
        [shared] {
            ++shared->count;
            shared->mutex.unlock();
        },
        [&] {
            const as_fiber here;
            add_one_and_destroy();
        },
        add_one_and_destroy);
}

constexpr model::scenario all[] = {
    {"fiber_parking", "a_thread_is_woken", a_thread_is_woken},
    {"fiber_parking", "a_fiber_is_woken", a_fiber_is_woken},
    {"fiber_parking", "two_fibers_wake_each_other", two_fibers_wake_each_other},
    {"fiber_parking", "a_fiber_waits_twice", a_fiber_waits_twice},
    {"fiber_parking", "a_thread_is_found_under_a_lock", a_thread_is_found_under_a_lock},
    {"fiber_parking", "a_fiber_is_found_under_a_lock", a_fiber_is_found_under_a_lock},
    {"fiber_parking", "a_thread_waits_unless_it_has_ended", a_thread_waits_unless_it_has_ended},
    {"fiber_parking", "a_fiber_waits_unless_it_has_ended", a_fiber_waits_unless_it_has_ended},
    {"fiber_parking", "a_fiber_is_left_for_the_one_that_it_joins", a_fiber_is_left_for_the_one_that_it_joins},
    {"sync_var", "a_reader_destroys_the_variable", a_reader_destroys_the_variable},
    {"sync_var", "each_value_is_taken_once", each_value_is_taken_once<shared_work>},
    {"sync_var", "two_readers_take_one_value_each", two_readers_take_one_value_each<shared_work>},
    {"sync_var", "all_readers_see_a_value_that_stays", all_readers_see_a_value_that_stays},
    {"sync_var", "a_replaced_value_is_read", a_replaced_value_is_read},
    {"sync_var", "a_reset_lets_a_writer_go_on", a_reset_lets_a_writer_go_on},
    {"fiber_mutex", "holders_exclude_each_other", holders_exclude_each_other<1>},
    {"fiber_mutex", "holders_exclude_each_other_twice", holders_exclude_each_other<2>},
    {"fiber_mutex", "three_holders_exclude_each_other", three_holders_exclude_each_other},
    {"fiber_mutex", "a_try_succeeds_or_the_mutex_is_held", a_try_succeeds_or_the_mutex_is_held},
    {"fiber_mutex", "the_last_holder_destroys_the_mutex", the_last_holder_destroys_the_mutex},
};

}  // namespace

std::span<const model::scenario> sync_var_scenarios() { return all; }

}  // namespace scenarios
