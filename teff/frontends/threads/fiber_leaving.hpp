// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The switch from one fiber to another (fiber_visit.hpp). It is inlined into all functions that leave a fiber: after a
// stack switch the processor mispredicts each return up to the user's code (fiber/stack_switch.hpp). After the switch
// such a function accesses no thread-local storage.
#pragma once

#include <teff/base/sanitizers.hpp>
#include <teff/frontends/threads/fiber_state.hpp>
#include <teff/frontends/threads/fiber_visit.hpp>
#include <teff/frontends/threads/stack_overflow.hpp>
#include <teff/team/deferral.hpp>
#include <teff/team/task_team.hpp>

#include <memory>
#include <utility>

namespace teff::threads {

[[gnu::always_inline]] inline fiber_state* fiber_visit::as_fiber(task_header* taken) noexcept {
    if (taken == nullptr)
        return nullptr;
    sanitizers::happens_after(taken);
    if (fiber_state::is_fiber(*taken)) [[likely]]
        return static_cast<fiber_state*>(taken);
    other_ = taken;
    return nullptr;
}

[[gnu::always_inline]] inline fiber_state* fiber_visit::take_next_fiber() noexcept {
    return is_wanted_back() ? nullptr : as_fiber(worker_.take_quickly());
}

[[gnu::always_inline]] inline fiber_body* fiber_visit::begin(fiber_state* next) noexcept {
    if (next == nullptr)
        return nullptr;
    fiber_body* const body = next->begin(words_);
    if (body == nullptr)
        other_ = next;
    return body;
}

inline bool fiber_visit::can_go_on_with(const fiber_state& ready) const noexcept {
    return ready.is_of(worker_.team()) && !ready.is_bound() && !is_wanted_back() && worker_.takes_newest();
}

[[gnu::always_inline]] inline fiber_context& fiber_visit::prepare(fiber_body* next) noexcept {
    if (next == nullptr) [[unlikely]] {
        return_to_worker();
        // The visit may have begun on the stack of another fiber.
        if (below_.stack != nullptr)
            collector_.begin(below_.stack->low, below_.stack->high);
        return outside_;
    }
    next->visit = this;
    switch_to(thread_, next->own);
    collector_.begin(next->own.stack->low, next->own.stack->high);
    return *next;
}

[[gnu::always_inline]] inline void fiber_visit::leave(fiber_body& left, fiber_body* next) noexcept {
    fiber_visit& visit = *left.visit;
    fiber_context& last = left.switch_to(visit.prepare(next), visit.part_);
    // The visit of the worker that has entered the fiber now; `visit` may belong to another worker.
    left.visit->finish(last);
}

inline fiber_context::next_code fiber_visit::exit(fiber_body& left, fiber_body* next) noexcept {
    fiber_visit& visit = *left.visit;
    left.left_as = fiber_body::leaving::ends;
    return {visit.prepare(next), visit.part_};
}

[[gnu::always_inline]] inline void fiber_visit::finish(fiber_context& last) noexcept {
    collector_.end();
    if (&last == &outside_)
        return;
    // After each of the steps below another thread may run the fiber or free it.
    auto& left = static_cast<fiber_body&>(last);
    if (left.left_as == fiber_body::leaving::ends) {
        give_back_body(left);
        return;
    }
    fiber_state& record = *left.record;
    require_intact(left.stack, &record, left.bounds);
    if (left.left_as == fiber_body::leaving::yields) {
        if (!worker_.push_last(record)) [[unlikely]]
            record.inject();
    } else if (left.left_as == fiber_body::leaving::parks) {
        finish_park(record, left.stays(left.argument));
    }
}

[[gnu::always_inline]] inline void fiber_visit::finish_park(fiber_state& parked, bool stays) noexcept {
    if (stays) [[likely]]
        fiber_tally::add_one(tally_.blocked);
    else
        parked.queue_by(&worker_);
}

inline void fiber_state::queue_by(task_member* worker) noexcept {
    // The calling thread may be in another team, or the scheduler may have no room.
    if (worker == nullptr || !is_of(worker->team()) || !deferral::queue(*worker, *this)) [[unlikely]]
        inject();
}

[[gnu::always_inline]] inline void fiber_state::make_ready() noexcept {
    fiber_tally::add_one(own_tally().woken);
    const fiber_state* const own_fiber = running_strand().fiber;
    queue_by(own_fiber != nullptr ? &own_fiber->body_->visit->worker() : running_thread.member);
}

[[gnu::always_inline]] inline void fiber_state::park(fiber_body::condition stays, void* argument) noexcept {
    fiber_visit& visit = *body_->visit;
    fiber_body* const goes_on = visit.take_next();
    if (visit.is_alone()) {
        body_->left_as = fiber_body::leaving::prepared;
        visit.finish_park(*this, stays(argument));
    } else {
        body_->left_as = fiber_body::leaving::parks;
        body_->stays = stays;
        body_->argument = argument;
    }
    fiber_visit::leave(*body_, goes_on);
}

inline void fiber_body::pass_to(fiber_state& next) noexcept {
    record = &next;
    std::construct_at(&own);
    own.fiber = &next;
    own.stack = &bounds;
}

}  // namespace teff::threads
