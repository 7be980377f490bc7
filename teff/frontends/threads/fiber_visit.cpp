// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The begin of a visit, on the worker's stack; see fiber_visit.hpp.
#include <teff/frontends/threads/fiber_visit.hpp>

#include <teff/frontends/threads/fiber_leaving.hpp>

namespace teff::threads {

fiber_visit::fiber_visit(task_member& worker) noexcept
    : worker_(worker), member_(worker), thread_(running_thread), state_(this_thread()), tally_(own_tally()),
      below_(running_strand()), innermost_(state_.innermost) {}

void fiber_visit::run(fiber_body& first) noexcept {
    watch_for_overflow();
    // relaxed, both: for queries, which are hints.
    tally_.runs_fiber.store(true, std::memory_order_relaxed);
    first.visit = this;
    thread_.member = &member_;
    switch_to(thread_, first.own);
    // Of the strand: the fiber may have been left inside of a call on a larger stack (large_stack.hpp).
    collector_.begin(first.own.stack->low, first.own.stack->high);
    fiber_context& left = outside_.switch_to(first, part_);
    // (prepare() has made the thread a member that runs no fiber.)
    tally_.runs_fiber.store(false, std::memory_order_relaxed);
    finish(left);
    if (other_ != nullptr)
        worker_.run(*other_);
}

}  // namespace teff::threads
