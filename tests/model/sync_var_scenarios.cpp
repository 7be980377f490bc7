// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Full/empty variables, and fiber_mutex: no waiter sleeps for ever, each sees what was done before its wake-up, nothing
// of it is used afterwards, and each value is taken once.
#include "definition.hpp"
#include "fiber_kit.hpp"

#include <teff/base/allocation.hpp>
#include <teff/frontends/threads/fiber_mutex.hpp>
#include <teff/frontends/threads/sync_var.hpp>

#include <mutex>

namespace scenarios {
namespace {

using variable = teff::sync_var<unsigned>;

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

TEFF_SCENARIO(sync_var, a_reader_destroys_the_variable) {
    auto* const shared = teff::create<shared_work>();
    model::check(shared != nullptr, "no memory for a variable");
    model::parallel([=] { shared->write(0); },
                    as_fiber([=] {
                        shared->take();
                        teff::destroy(shared);
                    }));
    model::expect_taken_once(1);
}

TEFF_SCENARIO(sync_var, all_readers_see_a_value_that_stays) {
    variable slot;
    const auto reader = [&] { model::check(slot.read_ff() == 7, "another value was read"); };
    model::parallel(reader,
                    as_fiber(reader),
                    [&] { slot.write_ef(7); });
    model::check(slot.is_full(), "reading emptied the variable");
}

TEFF_SCENARIO(sync_var, a_replaced_value_is_read) {
    variable slot;
    model::parallel([&] { slot.write_ff(8); }, [&] { slot.write_ef(7); });
    model::check(slot.read_fe() == 8, "the value was not replaced");
}

// The reset comes before or after the write that waits for an empty variable.
TEFF_SCENARIO(sync_var, a_reset_lets_a_writer_go_on) {
    variable slot(1);
    model::parallel(
        as_fiber([&] { slot.write_ef(2); }),
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
    model::parallel(add, as_fiber(add));
    model::check(shared.count == 2 * Times, "an addition was lost");
    model::check(shared.mutex.try_lock(), "the mutex is still held");
}

TEFF_SCENARIO(fiber_mutex, three_holders_exclude_each_other) {
    guarded_count shared;
    const auto add = [&] { shared.add_one(); };
    model::parallel(as_fiber(add), add, as_fiber(add));
    model::check(shared.count == 3, "an addition was lost");
    model::check(shared.mutex.try_lock(), "the mutex is still held");
}

TEFF_SCENARIO(fiber_mutex, a_try_succeeds_or_the_mutex_is_held) {
    guarded_count shared;
    unsigned added = 0;
    model::parallel([&] { shared.add_one(); },
                    as_fiber([&] { shared.add_one(); }),
                    [&] { added = shared.try_to_add_one() ? 1 : 0; });
    model::check(shared.count == 2 + added, "an addition was lost");
    model::check(shared.mutex.try_lock(), "the mutex is still held");
}

// The first holder has the mutex before the other threads begin to wait for it; the last one destroys it.
TEFF_SCENARIO(fiber_mutex, the_last_holder_destroys_the_mutex) {
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
        as_fiber(add_one_and_destroy),
        add_one_and_destroy);
}

TEFF_SCENARIO(sync_var, each_value_is_taken_once) { each_value_is_taken_once<shared_work>(); }
TEFF_SCENARIO(sync_var, two_readers_take_one_value_each) { two_readers_take_one_value_each<shared_work>(); }
TEFF_SCENARIO(fiber_mutex, holders_exclude_each_other) { holders_exclude_each_other<1>(); }
TEFF_SCENARIO(fiber_mutex, holders_exclude_each_other_twice) { holders_exclude_each_other<2>(); }

}  // namespace

std::span<const model::scenario> sync_var_scenarios() { return in_prepared_process(defined_here); }

}  // namespace scenarios
