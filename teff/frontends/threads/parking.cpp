// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two sides of a wait: the waiting fiber or thread, and wake(); see parking.hpp.
#include <teff/frontends/threads/parking.hpp>

#include <teff/base/sanitizers.hpp>
#include <teff/frontends/threads/fiber_leaving.hpp>
#include <teff/frontends/threads/fiber_state.hpp>
#include <teff/strand/more_stack.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/team/deferral.hpp>
#include <teff/team/latch_wait.hpp>
#include <teff/team/task_team.hpp>

namespace teff::threads {

parking::parking() noexcept : fiber_(fiber_state::that_can_wait()), not_woken_(fiber_ == nullptr ? 1 : 0) {}

void parking::wait(const wait_reason& what, task_runner runs) noexcept {
    if (fiber_ == nullptr) {
        wait_as_thread(what, runs);
    // acquire: what was done before the wake-up is seen here; partner: the release in wake().
    } else if (word_.load(std::memory_order_acquire) != woken) {
        const scoped_wait noted(fiber_->waits(), what, fiber_->number(), fiber_->name());
        fiber_->park(&falls_asleep, this);
    } else {
        sanitizers::happens_after(word_.address());
    }
}

// Called when the fiber may be made ready. False: it was woken already, and continues. After true this object may be
// gone.
bool parking::falls_asleep(void* self) noexcept {
    // release: the fiber can be entered elsewhere; partner: the acquire in wake(). acquire: what was done before the
    // wake-up is seen where the fiber goes on; partner: the release in wake().
    parking& mine = *static_cast<parking*>(self);
    if (mine.word_.exchange(asleep, std::memory_order_acq_rel) == awake)
        return true;
    sanitizers::happens_after(mine.word_.address());
    return false;
}

[[gnu::always_inline]] inline void parking::wait_as_fiber(const wait_reason& what,
                                                          bool (*stays)(void* argument) noexcept,
                                                          void* argument) noexcept {
    // relaxed: the operation that gives this object's address to the waking thread publishes it.
    word_.store(asleep, std::memory_order_relaxed);
    const scoped_wait noted(fiber_->waits(), what, fiber_->number(), fiber_->name());
    fiber_->park(stays, argument);
}

void parking::wait_if(const wait_reason& what, bool (*stays)(void* argument) noexcept, void* argument) noexcept {
    if (fiber_ != nullptr)
        wait_as_fiber(what, stays, argument);
    else if (stays(argument))
        wait_as_thread(what);
}

void parking::release_and_wait(spin_lock& held, const wait_reason& what) noexcept {
    if (fiber_ != nullptr) {
        wait_as_fiber(
            what,
            [](void* lock) noexcept {
                static_cast<spin_lock*>(lock)->unlock();
                return true;
            },
            &held);
    } else {
        held.unlock();
        wait_as_thread(what);
    }
}

void parking::wake() noexcept {
    if (fiber_state* const sleeper = wake_but_fiber())
        sleeper->make_ready();
}

fiber_state* parking::wake_but_fiber() noexcept {
    if (fiber_ == nullptr) {
        not_woken_.count_down();
        return nullptr;
    }
    // After the exchange the fiber may go on, and this object be gone.
    fiber_state* const sleeper = fiber_;
    // acquire, both: the fiber can be entered; partner: the release in falls_asleep(). release: the fiber sees what was
    // done before; partners: the acquires in wait() and falls_asleep(). (A fiber that was asleep sees it by the queue
    // that it is made ready in.)
    if (word_.load(std::memory_order_acquire) != asleep) {
        sanitizers::happens_before(word_.address());
        if (word_.exchange(woken, std::memory_order_acq_rel) != asleep)
            return nullptr;
    }
    return sleeper;
}

[[gnu::noinline]] void parking::wait_as_thread(const wait_reason& what, task_runner runs) noexcept {
    if (not_woken_.is_over())
        return;
    make_waits_known();
    const wait_condition wake_up{not_woken_.word(), count_latch::unfinished, &not_woken_};
    // A fiber that cannot be left here sleeps with its thread.
    task_member* const self = running_thread.member;
    if (self != nullptr && running_strand().fiber == nullptr) {
        measured_stack();
        const auto wait = [&]() noexcept {
            // Tasks on fibers run on stacks of their own, so they do not use up this one.
            wait_rules rules = runs != nullptr ? wait_rules{.runs = runs} : deferral::rules_for_wait(*self);
            rules.why = &what;
            [[maybe_unused]] const bool taken_back = self->wait(wake_up, rules);
        };
        return runs != nullptr ? wait() : wait_with_room(wait);
    }
    if (self != nullptr)
        self->give_up_seat();
    sleep_until_over(not_woken_, what);
}

}  // namespace teff::threads
