// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See fiber_visit.hpp. Everything here that is called on a fiber and uses thread-local storage is out of line: the code
// before and after a switch may run on different threads.
#include <teff/frontends/threads/fiber_visit.hpp>

#include <teff/base/sanitizers.hpp>
#include <teff/fiber/spare_stacks.hpp>
#include <teff/frontends/threads/fiber_counts.hpp>
#include <teff/frontends/threads/fiber_state.hpp>
#include <teff/frontends/threads/stack_overflow.hpp>
#include <teff/runtime/running_strand.hpp>
#include <teff/runtime/stack.hpp>

#include <memory>
#include <utility>

namespace teff::threads {

fiber_body::fiber_body(fiber_state& fiber, const fiber_stack& taken) noexcept
    : stack(taken), bounds(bounds_of(taken.lowest, taken.size)) {
    pass_to(fiber);
}

void fiber_body::pass_to(fiber_state& next) noexcept {
    record = &next;
    std::construct_at(&own);
    own.fiber = &next;
    own.stack = &bounds;
}

fiber_visit::fiber_visit(task_member& worker) noexcept
    : worker_(worker), member_(worker), below_(running_strand()), innermost_(this_thread().innermost) {}

void fiber_visit::run(fiber_body& first) noexcept {
    watch_for_overflow();
    fiber_tally& tally = own_tally();
    // relaxed, both: for queries, which are hints.
    tally.runs_fiber.store(true, std::memory_order_relaxed);
    enter(first);
    // Of the strand: the fiber may have been left inside of a call on a larger stack (large_stack.hpp).
    about_to_use_stack(first.own.stack->low, first.own.stack->high);
    outside_.switch_to(first.context);
    return_to_worker();
    tally.runs_fiber.store(false, std::memory_order_relaxed);
    finish_left();
    if (other_ != nullptr)
        worker_.run(*other_);
}

inline bool fiber_visit::goes_back() const noexcept {
    // In the child of a fork() the thread is no member any more.
    return running_thread.member == nullptr || !worker_.takes_next();
}

[[gnu::noinline]] bool fiber_visit::is_wanted_back() const noexcept { return goes_back(); }

[[gnu::noinline]] fiber_state* fiber_visit::take_next_fiber() noexcept {
    if (goes_back())
        return nullptr;
    task_header* const next = worker_.take_quickly();
    if (next == nullptr)
        return nullptr;
    sanitizers::happens_after(next);
    if (fiber_state::is_fiber(*next)) [[likely]]
        return static_cast<fiber_state*>(next);
    other_ = next;
    return nullptr;
}

fiber_body* fiber_visit::begin(fiber_state* next) noexcept {
    if (next == nullptr)
        return nullptr;
    fiber_body* const body = next->begin(words_);
    if (body == nullptr)
        other_ = next;
    return body;
}

fiber_body* fiber_visit::take_next() noexcept { return begin(take_next_fiber()); }

[[gnu::noinline]] void fiber_visit::enter(fiber_body& next) noexcept {
    next.visit = this;
    running_thread.member = &member_;
    switch_to(next.own);
}

[[gnu::noinline]] void fiber_visit::return_to_worker() noexcept {
    running_thread.member = &worker_;
    switch_to(below_);
}

fiber_context& fiber_visit::prepare(fiber_body& left, fiber_body* next) noexcept {
    left_ = &left;
    if (next == nullptr)
        return outside_;
    enter(*next);
    collector_.begin(next->own.stack->low, next->own.stack->high);
    return next->context;
}

void fiber_visit::leave(fiber_body& left, fiber_body* next) noexcept {
    left.context.switch_to(left.visit->prepare(left, next));
    // Of the worker that has entered the fiber now.
    left.visit->finish_left();
}

void fiber_visit::leave_for_good(fiber_body& left, fiber_body* next) noexcept {
    left.context.switch_for_good_to(left.visit->prepare(left, next));
}

[[gnu::noinline]] void fiber_visit::finish_left() noexcept {
    fiber_body* const left = std::exchange(left_, nullptr);
    if (left == nullptr)
        return;
    collector_.end();
    // After each of these, another thread may run the fiber, or it may be gone.
    fiber_state& record = *left->record;
    switch (left->how) {
    case fiber_body::leaving::yields:
        expect_intact(left->stack, &record, left->bounds);
        if (!worker_.push_last(record))
            worker_.team().inject(record);
        break;
    case fiber_body::leaving::parks:
        expect_intact(left->stack, &record, left->bounds);
        if (left->stays(left->argument))
            fiber_tally::add_one(own_tally().blocked);
        else
            record.queue();
        break;
    case fiber_body::leaving::ends:
        const fiber_stack stack = left->stack;
        left->context.end();
        std::destroy_at(left);
        give_back_spare_stack(stack);
        break;
    }
}

}  // namespace teff::threads
