// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The life of a fiber: its start, its end, and the joins; see fiber_state.hpp. Also the begin of the worker's visit in
// which it runs (fiber_visit.hpp).
#include <teff/frontends/threads/fiber_state.hpp>

#include <teff/base/backoff.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/frontends/threads/fiber_counts.hpp>
#include <teff/frontends/threads/fiber_leaving.hpp>
#include <teff/frontends/threads/fiber_record.hpp>
#include <teff/frontends/threads/fiber_visit.hpp>
#include <teff/frontends/threads/parking.hpp>
#include <teff/frontends/threads/stack_overflow.hpp>
#include <teff/observe/timeline.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/strand/stack.hpp>
#include <teff/team/deferral.hpp>
#include <teff/team/session.hpp>
#include <teff/team/task_team.hpp>

#include <new>
#include <utility>

namespace teff::threads {

fiber_state::fiber_state(const actions& does, const site& made) noexcept
    : task_header(&run_on_this_thread), does_(does), made_(made) {}

void fiber_state::start() {
    // In a team, starting a fiber needs little stack.
    if (running_strand().fiber != nullptr || running_thread.member != nullptr) [[likely]] {
        require_little_stack(fibers_use);
    } else {
        require_stack(fibers_use);
        begin_session();
    }
    task_member* const self = worker_member();
    if (self == nullptr)
        throw thread_exits("teff: a thread that is exiting cannot start a fiber; start it before the thread's "
                           "function returns");
    team_ = &self->team();
    number_ = next_fiber_number();
    self->count_fiber();
    fiber_tally::add_one(own_tally().started);
    queue_by(self);
}

void fiber_state::run_detached_on(task_member& worker) noexcept {
    team_ = &worker.team();
    number_ = next_fiber_number();
    worker.count_fiber();
    fiber_tally::add_one(own_tally().started);
    // relaxed: no other thread knows the fiber yet.
    joined_.store(is_detached, std::memory_order_relaxed);
    worker.run(*this);
}

// Out of line, like everything here that is called on a fiber and uses thread-local storage: the code before and after
// a wait may run on different threads. A fiber finds the state of its present thread through its visit.
[[gnu::noinline]] task_member* fiber_state::worker_member() noexcept {
    const fiber_state* const own_fiber = running_strand().fiber;
    return own_fiber != nullptr ? &own_fiber->body_->visit->worker() : running_thread.member;
}

[[gnu::noinline]] void fiber_state::inject() noexcept { team_->inject(*this); }

[[gnu::noinline]] fiber_state* fiber_state::that_can_wait() noexcept {
    fiber_state* const own_fiber = running_strand().fiber;
    return own_fiber != nullptr && own_fiber->body_->visit->is_innermost() ? own_fiber : nullptr;
}

void fiber_state::yield() noexcept {
    fiber_visit& visit = *body_->visit;
    task_member::next_task found{nullptr, false};
    if (!visit.is_wanted_back()) {
        found = visit.worker().take_in_place_of(*this);
        // A bound fiber is suspended even if nothing else is ready: while it looked for other tasks, the worker may
        // have lost its seat (bound_tasks.hpp).
        if (found.taken == nullptr && !visit.is_wanted_back() && !is_bound())
            return;
    }
    body_->left_as = found.has_queued ? fiber_body::leaving::prepared : fiber_body::leaving::yields;
    fiber_visit::leave(*body_, visit.begin(visit.as_fiber(found.taken)));
}

void fiber_state::run_on_this_thread(task_header& self) noexcept {
    auto& mine = static_cast<fiber_state&>(self);
    task_member& worker = *running_thread.member;
    fiber_visit visit(worker);
    if (fiber_body* const body = mine.begin(visit.control_words_of_worker())) {
        visit.run(*body);
        return;
    }
    mine.error_ = std::make_exception_ptr(std::bad_alloc());
    const ending outcome = mine.end(visit.tally());
    if (outcome.is_detached) {
        mine.end_detached();
        fiber_tally::add_one(visit.tally().ended);
    }
    worker.count_ended_fiber();
    if (outcome.joiner != nullptr)
        outcome.joiner->make_ready();
}

fiber_body* fiber_state::take_stack(const control_words& words) noexcept {
    body_ = take_body(team_->how().fiber_stack * (sanitizers::is_program_instrumented() ? 8 : 1));
    if (body_ == nullptr)
        return nullptr;
    body_->pass_to(*this);
    body_->begin<&call_function>(body_->stack, room_for_body, words, body_);
    return body_;
}

// On the stack of the fiber `on`, which is this one or waits for it.
[[gnu::always_inline]] inline void fiber_state::call(fiber_state& on) noexcept {
    try {
        does_.call(*this, on.locals_);
    } catch (...) {
        error_ = std::current_exception();
    }
}

// A fiber is counted as ended before a joining thread can continue. A detached fiber is counted when it has been freed.
inline fiber_state::ending fiber_state::end(fiber_tally& tally) noexcept {
    // acquire: the last use by the thread that has detached it; partner: the release in detach(). Or the parking of the
    // thread that joins, which waits, so that the word stays as it is; partner: the release in wait_for_end().
    std::uintptr_t seen = joined_.load(std::memory_order_acquire);
    if (seen == is_detached) {
        sanitizers::happens_after(joined_.address());
        return {.is_detached = true, .joiner = nullptr};
    }
    fiber_tally::add_one(tally.ended);
    if (seen == is_open) {
        sanitizers::happens_before(joined_.address());
        // release: the thread that joins sees the outcome; partner: the acquire in join(). acquire: as above.
        seen = joined_.exchange(has_ended, std::memory_order_acq_rel);
        if (seen == is_detached) {
            sanitizers::happens_after(joined_.address());
            fiber_tally::subtract_one(tally.ended);
            return {.is_detached = true, .joiner = nullptr};
        }
        if (seen == is_open)
            return {.is_detached = false, .joiner = nullptr};
    }
    return {.is_detached = false, .joiner = reinterpret_cast<parking*>(seen)->wake_but_fiber()};
}

[[gnu::always_inline]] inline fiber_state* fiber_state::run_to_end() noexcept {
    fiber_body& body = *body_;
    call(*this);
    require_intact(body.stack, this, body.bounds);
    // From here on the record may be gone.
    body.own.fiber = nullptr;
    const ending outcome = end(body.visit->tally());
    if (outcome.is_detached) [[unlikely]] {
        // The user's destructors run in end_detached() and may do what a fiber may.
        body.own.fiber = this;
        end_detached();
        body.own.fiber = nullptr;
        fiber_tally::add_one(body.visit->tally().ended);
    }
    fiber_visit& visit = *body.visit;
    visit.worker().count_ended_fiber();
    fiber_state* const joiner = outcome.joiner;
    if (joiner == nullptr)
        return nullptr;
    fiber_tally::add_one(visit.tally().woken);
    if (visit.can_go_on_with(*joiner)) [[likely]]
        return joiner;
    joiner->queue_by(&visit.worker());
    return nullptr;
}

inline bool fiber_state::begin_on(fiber_body& ended) noexcept {
    if (body_ != nullptr)
        return false;
    body_ = &ended;
    ended.pass_to(*this);
    ended.visit->begin_again(ended);
    return true;
}

fiber_context::next_code fiber_state::call_function(void* given, fiber_context& left) noexcept {
    auto& body = *static_cast<fiber_body*>(given);
    body.visit->finish(left);
    for (;;) {
        fiber_state* next = body.record->run_to_end();
        if (next == nullptr)
            next = body.visit->take_next_fiber();
        if (next == nullptr || !next->begin_on(body))
            return fiber_visit::exit(body, body.visit->begin(next));
    }
}

void yield() noexcept {
    if (fiber_state* const self = fiber_state::that_can_wait()) {
        self->yield();
        return;
    }
    task_member* const member = running_thread.member;
    // Not on a fiber that cannot be left here (fiber_member.hpp).
    if (member != nullptr && running_strand().fiber == nullptr && has_stack() && deferral::is_in_upper_half()) {
        task_header* const other = member->take({});
        if (other != nullptr)
            member->run(*other);
        member->end_look();
        if (other != nullptr)
            return;
    }
    yield_thread();
}

void set_name(const char* name) noexcept {
    if (fiber_state* const self = running_strand().home->fiber)
        self->set_name(name);
}

void fiber_state::end_detached() noexcept {
    if (error_ != nullptr)
        does_.fail(*this, take_error());
    free();
}

// During the call the joiner's state is saved, and the joiner counts as blocked. The call may return on another thread.
void fiber_state::call_on_stack_of(fiber_state& joiner) noexcept {
    const fiber_body& body = *joiner.body_;
    // A fiber that has not begun has nothing of its own.
    name_ = std::exchange(joiner.name_, nullptr);
    locals_.swap(joiner.locals_);
    priority = joiner.priority;
    fiber_tally::add_one(body.visit->tally().blocked);
    const fiber_context::separate_state own(body.visit->part_of_thread());
    call(joiner);
    fiber_visit& visit = *body.visit;
    own.end(visit.part_of_thread());
    joiner.name_ = name_;
    locals_.swap(joiner.locals_);
    fiber_tally::add_one(visit.tally().woken);
    fiber_tally::add_one(visit.tally().ended);
    visit.worker().count_ended_fiber();
    // If the function has bound the fiber to another shepherd, the joiner moves back.
    if (joiner.priority != priority) [[unlikely]]
        joiner.set_binding(priority);
}

inline bool fiber_state::is_known_to_have_ended() const noexcept {
    // acquire: sees the outcome; partner: the release in end().
    const bool is_known = joined_.load(std::memory_order_acquire) == has_ended;
    if (is_known)
        sanitizers::happens_after(joined_.address());
    return is_known;
}

// Called on a thread, or on a fiber that cannot be suspended. If the joined fiber is the task that the thread would
// take next, runs it.
[[gnu::noinline]] void fiber_state::join_by_thread() noexcept {
    task_member* const self = running_thread.member;
    if (running_strand().fiber == nullptr && self != nullptr && is_of(self->team()) && self->take_back(*this)) {
        self->run(*this);
        if (is_known_to_have_ended())
            return;
    }
    wait_for_end();
}

[[gnu::noinline]] void fiber_state::wait_for_end() noexcept {
    struct end_of_fiber {
        fiber_state& awaited;
        parking here;
    } end{*this, {}};
    end.here.wait_if(
        for_report(),
        [](void* argument) noexcept {
            auto& [awaited, here] = *static_cast<end_of_fiber*>(argument);
            std::uintptr_t seen = is_open;
            // release: publishes our parking; partner: the acquire in end(). acquire on failure: sees the outcome of a
            // fiber that has ended; partner: the release in end(). (After a wait the wake-up orders it.)
            if (awaited.joined_.compare_exchange_strong(seen, reinterpret_cast<std::uintptr_t>(&here),
                                                        std::memory_order_release, std::memory_order_acquire))
                return true;
            sanitizers::happens_after(awaited.joined_.address());
            return false;
        },
        &end);
}

// If the joined fiber is the next task of the joiner's worker, it runs at once. If it has not begun and nearly all of
// the stack is free, its function is called here. Otherwise the worker switches to it directly, past the queue.
void fiber_state::join() noexcept {
    if (is_known_to_have_ended())
        return;
    fiber_state* const own_fiber = that_can_wait();
    if (own_fiber == nullptr)
        return join_by_thread();
    fiber_body& body = *own_fiber->body_;
    fiber_visit& visit = *body.visit;
    if (!is_of(visit.worker().team()) || !visit.worker().take_back(*this))
        return wait_for_end();
    sanitizers::happens_after(this);
    if (body_ == nullptr && body.has_nearly_all_free(__builtin_frame_address(0)))
        return call_on_stack_of(*own_fiber);
    if (visit.is_wanted_back()) [[unlikely]] {
        queue_by(&visit.worker());
        return wait_for_end();
    }
    parking end(*own_fiber);
    // relaxed: only the caller has this fiber, until its worker enters it.
    joined_.store(reinterpret_cast<std::uintptr_t>(&end), std::memory_order_relaxed);
    const scoped_wait noted(own_fiber->waits(), for_report(), own_fiber->number_, own_fiber->name_);
    fiber_tally::add_one(visit.tally().blocked);
    body.left_as = fiber_body::leaving::prepared;
    fiber_visit::leave(body, visit.begin(this));
}

void fiber_state::detach() noexcept {
    std::uintptr_t seen = is_open;
    sanitizers::happens_before(joined_.address());
    // release: our last use of the fiber comes before it is freed; partner: the acquire in end(). acquire on failure:
    // the last use by the thread that ended it comes before we free it; partner: the release in end().
    if (joined_.compare_exchange_strong(seen, is_detached, std::memory_order_release, std::memory_order_acquire))
        return;
    sanitizers::happens_after(joined_.address());
    end_detached();
}

// The begin of a worker's visit, on the worker's stack (fiber_visit.hpp).
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
    // The strand's stack: the fiber may have been left inside a call on a larger stack (large_stack.hpp).
    collector_.begin(first.own.stack->low, first.own.stack->high);
    fiber_context& left = outside_.switch_to(first, part_);
    // (prepare() has made the thread a member that runs no fiber.)
    tally_.runs_fiber.store(false, std::memory_order_relaxed);
    finish(left);
    if (other_ != nullptr)
        worker_.run(*other_);
}

}  // namespace teff::threads

namespace teff {

const void* traced_function_of(const task_header& task) noexcept {
    return threads::fiber_state::is_fiber(task) ? static_cast<const threads::fiber_state&>(task).address_of_call()
                                                : nullptr;
}

}  // namespace teff
