// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See fiber_state.hpp.
#include <teff/frontends/threads/fiber_state.hpp>

#include <teff/base/backoff.hpp>
#include <teff/base/cache_line.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/fiber/spare_stacks.hpp>
#include <teff/frontends/threads/fiber_counts.hpp>
#include <teff/frontends/threads/parking.hpp>
#include <teff/frontends/threads/stack_overflow.hpp>
#include <teff/runtime/deferral.hpp>
#include <teff/runtime/running_strand.hpp>
#include <teff/runtime/session.hpp>
#include <teff/runtime/stack.hpp>
#include <teff/runtime/task_team.hpp>
#include <teff/runtime/timeline.hpp>

#include <new>
#include <utility>

namespace teff::threads {
namespace {

// A thread takes numbers in blocks, so that it seldom writes what threads share.
struct block_of_numbers {
    std::uint64_t next = 0, end = 0;
};
constinit thread_local block_of_numbers own_numbers [[gnu::tls_model("initial-exec")]];
constinit atomic<std::uint64_t> first_free_number{1};

std::uint64_t next_number() noexcept {
    constexpr std::uint64_t block_size = 1000;
    block_of_numbers& own = own_numbers;
    if (own.next == own.end) [[unlikely]] {
        expect_waits();
        // relaxed: the numbers differ, and publish nothing.
        own.next = first_free_number.fetch_add(block_size, std::memory_order_relaxed);
        own.end = own.next + block_size;
    }
    return own.next++;
}

constexpr std::size_t room_for_body = (sizeof(fiber_body) + cache_line_size - 1) / cache_line_size * cache_line_size;

}  // namespace

fiber_state::fiber_state(const actions& does, const site& made) noexcept
    : task_header(&run_on_this_thread), does_(does), made_(made) {}

void fiber_state::start() {
    // On a fiber there is a team, so little stack is needed.
    if (running_strand().fiber != nullptr) [[likely]]
        expect_little_stack();
    else
        expect_stack();
    if (running_thread.member == nullptr)
        begin_session();
    task_member* const self = worker_member();
    if (self == nullptr)
        throw thread_exits("teff: a thread that is exiting cannot start a fiber; start it before the thread's "
                           "function returns");
    team_ = &self->team();
    number_ = next_number();
    self->count_fiber();
    fiber_tally::add_one(own_tally().started);
    queue_on(self);
}

void fiber_state::run_detached_on(task_member& worker) noexcept {
    team_ = &worker.team();
    number_ = next_number();
    worker.count_fiber();
    fiber_tally::add_one(own_tally().started);
    // relaxed: no other thread knows it yet.
    joined_.store(is_detached, std::memory_order_relaxed);
    worker.run(*this);
}

task_member* fiber_state::worker_member() noexcept {
    const fiber_state* const here = running_strand().fiber;
    return here != nullptr ? &here->body_->visit->worker() : running_thread.member;
}

// Out of line, like everything here that is called on a fiber and uses thread-local storage: the code before and after
// a wait may run on different threads.
[[gnu::noinline]] void fiber_state::queue() noexcept { queue_on(worker_member()); }

// here: the member of the calling thread; nullptr: it is in no team.
void fiber_state::queue_on(task_member* here) noexcept {
    if (here != nullptr && &here->team() == team_ && deferral::queue(*here, *this))
        return;
    // From another team, or the scheduler has no room.
    team_->inject(*this);
}

[[gnu::noinline]] void fiber_state::make_ready() noexcept {
    fiber_tally::add_one(own_tally().woken);
    queue();
}

[[gnu::noinline]] fiber_state* fiber_state::that_can_wait() noexcept {
    fiber_state* const here = running_strand().fiber;
    return here != nullptr && here->body_->visit->is_innermost() ? here : nullptr;
}

void fiber_state::yield() noexcept {
    fiber_visit& here = *body_->visit;
    fiber_body* const taken = here.take_next();
    // A bound fiber is left all the same: to look for other tasks may have cost the worker its seat (bound_tasks.hpp).
    if (taken == nullptr && !here.has_other() && !here.is_wanted_back() && !is_bound())
        return;  // nothing else is ready
    body_->how = fiber_body::leaving::yields;
    fiber_visit::leave(*body_, taken);
}

void fiber_state::park(fiber_body::condition stays, void* argument) noexcept {
    body_->how = fiber_body::leaving::parks;
    body_->stays = stays;
    body_->argument = argument;
    fiber_visit::leave(*body_, body_->visit->take_next());
}

void fiber_state::run_on_this_thread(task_header& self) noexcept {
    auto& mine = static_cast<fiber_state&>(self);
    task_member& worker = *running_thread.member;
    fiber_visit here(worker);
    if (fiber_body* const body = mine.begin(here.control_words_of_worker())) {
        here.run(*body);
        return;
    }
    mine.error_ = std::make_exception_ptr(std::bad_alloc());
    if (mine.end()) {
        mine.end_detached();
        count_ended();
    }
    worker.count_ended_fiber();
}

fiber_body* fiber_state::take_stack(const control_words& words) noexcept {
    const std::size_t times = sanitizers::is_program_instrumented() ? 8 : 1;
    const fiber_stack stack = take_spare_stack(team_->how().fiber_stack * times);
    if (stack.lowest == nullptr)
        return nullptr;
    body_ = ::new (static_cast<std::byte*>(stack.lowest) + stack.size - room_for_body) fiber_body(*this, stack);
    body_->context.begin(stack, room_for_body, words, &call_function, body_);
    return body_;
}

// On the stack of the fiber `on`, which is this one or waits for it.
void fiber_state::call(fiber_state& on) noexcept {
    try {
        does_.call(*this, on.locals_);
    } catch (...) {
        error_ = std::current_exception();
    }
}

void fiber_state::call_function(void* given) noexcept {
    auto& body = *static_cast<fiber_body*>(given);
    body.visit->finish_left();
    for (;;) {
        body.record->run_to_end();
        fiber_state* const next = body.visit->take_next_fiber();
        if (next == nullptr || !next->begin_on(body)) {
            body.how = fiber_body::leaving::ends;
            fiber_visit::leave_for_good(body, body.visit->begin(next));
        }
    }
}

void fiber_state::run_to_end() noexcept {
    fiber_body& body = *body_;
    call(*this);
    expect_intact(body.stack, this, body.bounds);
    // From here on the thread is no fiber, since the record may be gone.
    body.visit->return_to_worker();
    if (end()) {
        // The destructors of the user's function may do what a fiber may, so the thread is this fiber again.
        body.visit->enter(body);
        end_detached();
        body.visit->return_to_worker();
        count_ended();
    }
    body.visit->worker().count_ended_fiber();
}

bool fiber_state::begin_on(fiber_body& ended) noexcept {
    if (body_ != nullptr)
        return false;
    body_ = &ended;
    ended.pass_to(*this);
    fiber_context::begin_again(ended.visit->control_words_of_worker());
    ended.visit->enter(ended);
    return true;
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

// For a fiber that a thread joins before that thread can go on; for a detached one when it has been freed.
[[gnu::noinline]] void fiber_state::count_ended() noexcept { fiber_tally::add_one(own_tally().ended); }

[[gnu::noinline]] void fiber_state::discount_ended() noexcept { fiber_tally::subtract_one(own_tally().ended); }

// Returns true if the fiber is detached; otherwise it may be gone.
bool fiber_state::end() noexcept {
    // acquire: the last use by the thread that has detached it; partner: the release in detach().
    if (joined_.load(std::memory_order_acquire) == is_detached) {
        sanitizers::happens_after(joined_.address());
        return true;
    }
    count_ended();
    sanitizers::happens_before(joined_.address());
    // release: the thread that joins sees the outcome; partner: the acquire in join(). acquire: its parking can be
    // used; partner: the release in join().
    const std::uintptr_t seen = joined_.exchange(has_ended, std::memory_order_acq_rel);
    if (seen == is_detached) {
        sanitizers::happens_after(joined_.address());
        discount_ended();
        return true;
    }
    if (seen != is_open)
        reinterpret_cast<parking*>(seen)->wake();
    return false;
}

void fiber_state::end_detached() noexcept {
    if (error_ != nullptr)
        does_.fail(*this, take_error());
    free();
}

// The joiner's own things are put aside meanwhile, as the joiner counts as blocked.
void fiber_state::call_on_stack_of(fiber_state& joiner) noexcept {
    // A fiber that has not begun has nothing of its own.
    name_ = std::exchange(joiner.name_, nullptr);
    locals_.swap(joiner.locals_);
    priority = joiner.priority;
    count_as_blocked();
    {
        const fiber_context::separate_state own;
        call(joiner);
    }
    joiner.name_ = name_;
    locals_.swap(joiner.locals_);
    count_ended_on_joiner();
    // The function has migrated.
    if (joiner.priority != priority) [[unlikely]]
        joiner.set_binding(priority);
}

// Both are out of line, since the function may end on another thread.
[[gnu::noinline]] void fiber_state::count_as_blocked() noexcept { fiber_tally::add_one(own_tally().blocked); }
[[gnu::noinline]] void fiber_state::count_ended_on_joiner() noexcept {
    fiber_tally& tally = own_tally();
    fiber_tally::add_one(tally.woken);
    fiber_tally::add_one(tally.ended);
    worker_member()->count_ended_fiber();
}

inline bool fiber_state::is_known_to_have_ended() const noexcept {
    // acquire: sees the outcome; partner: the release in end().
    const bool is_known = joined_.load(std::memory_order_acquire) == has_ended;
    if (is_known)
        sanitizers::happens_after(joined_.address());
    return is_known;
}

// If the fiber is the task that the calling thread would take next, runs it. On a fiber with nearly all of its stack
// free, a fiber that has not begun is called like a function. Returns whether the fiber has ended.
bool fiber_state::has_ended_by_joiner() noexcept {
    if (is_known_to_have_ended())
        return true;
    fiber_state* const here = that_can_wait();
    if (here == nullptr && running_strand().fiber != nullptr)
        return false;
    task_member* const self = worker_member();
    if (self == nullptr || &self->team() != team_ || !self->take_back(*this))
        return false;
    if (here == nullptr) {
        self->run(*this);
    } else if (body_ == nullptr && here->body_->has_nearly_all_free(__builtin_frame_address(0))) {
        call_on_stack_of(*here);
        return true;
    } else {
        queue();
    }
    return is_known_to_have_ended();
}

void fiber_state::join() noexcept {
    if (has_ended_by_joiner())
        return;
    struct end_of_fiber {
        fiber_state& awaited;
        parking here;
    } end{*this, {}};
    end.here.wait_if(
        {.kind = "fiber", .event = "to end", .fiber = number_, .made = made_, .is_for_tasks = true},
        [](void* argument) noexcept {
            auto& [awaited, here] = *static_cast<end_of_fiber*>(argument);
            std::uintptr_t seen = is_open;
            // release: our parking can be used; partner: the acquire in end(). acquire on failure: sees the outcome of
            // a fiber that has ended; partner: the release in end(). (After a wait the wake-up orders it.)
            if (awaited.joined_.compare_exchange_strong(seen, reinterpret_cast<std::uintptr_t>(&here),
                                                        std::memory_order_release, std::memory_order_acquire))
                return true;
            sanitizers::happens_after(awaited.joined_.address());
            return false;
        },
        &end);
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

}  // namespace teff::threads

namespace teff {

const void* traced_function_of(const task_header& task) noexcept {
    return threads::fiber_state::is_fiber(task) ? static_cast<const threads::fiber_state&>(task).address_of_call()
                                                : nullptr;
}

}  // namespace teff
