// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See fiber_state.hpp.
#include <teff/frontends/threads/fiber_state.hpp>

#include <teff/base/backoff.hpp>
#include <teff/frontends/threads/fiber_counts.hpp>
#include <teff/frontends/threads/parking.hpp>
#include <teff/frontends/threads/stack_overflow.hpp>
#include <teff/reclaim/collector_stacks.hpp>
#include <teff/runtime/deferral.hpp>
#include <teff/runtime/running_strand.hpp>
#include <teff/runtime/session.hpp>
#include <teff/runtime/stack.hpp>
#include <teff/runtime/task_team.hpp>

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
        // From here on a deadlock takes this thread into account.
        [[maybe_unused]] const wait_record* const record = own_wait_record();
        // relaxed: the numbers differ, and publish nothing.
        own.next = first_free_number.fetch_add(block_size, std::memory_order_relaxed);
        own.end = own.next + block_size;
    }
    return own.next++;
}

}  // namespace

fiber_state::fiber_state(const actions& does, const site& made) noexcept
    : task_header(&run_on_this_thread), does_(does), made_(made) {
    strand_.fiber = this;
    strand_.stack = &bounds_;
}

void fiber_state::start() {
    expect_stack();
    if (running_thread.member == nullptr)
        begin_session();
    const task_member* const self = running_thread.member;
    if (self == nullptr)
        throw thread_exits("teff: a thread that is exiting cannot start a fiber; start it before the thread's "
                           "function returns");
    team_ = &self->team();
    number_ = next_number();
    team_->fibers().count_up();
    fiber_tally::add_one(own_tally().started);
    queue();
}

// The member of the calling thread, below the fiber that it runs; nullptr: it is in no team.
task_member* fiber_state::worker_member() noexcept {
    const fiber_state* const here = running_strand().fiber;
    return here != nullptr ? &here->member_->worker() : running_thread.member;
}

// Out of line, like everything here that is called on a fiber and uses thread-local storage: the code before and after
// a wait may run on different threads.
[[gnu::noinline]] void fiber_state::queue() noexcept {
    task_member* const self = worker_member();
    if (self != nullptr && &self->team() == team_ && deferral::submit(*self, *this, 0))
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
    if (here == nullptr)
        return nullptr;
    const bool is_innermost = here->member_->depth() == here->member_->worker().depth() &&
                              this_thread().innermost == here->innermost_;
    return is_innermost ? here : nullptr;
}

void fiber_state::yield() noexcept {
    why_ = leaving::yields;
    context_.leave();
}

void fiber_state::park(parking& where) noexcept {
    why_ = leaving::parks;
    parks_at_ = &where;
    context_.leave();
}

void fiber_state::run_on_this_thread(task_header& self) noexcept {
    auto& mine = static_cast<fiber_state&>(self);
    if (!mine.context_.has_begun() && !mine.begin()) {
        mine.error_ = std::make_exception_ptr(std::bad_alloc());
        mine.end();
        return;
    }
    fiber_tally& tally = own_tally();
    // relaxed, both: for queries, which are hints.
    tally.runs_fiber.store(true, std::memory_order_relaxed);
    mine.enter();
    tally.runs_fiber.store(false, std::memory_order_relaxed);
    expect_intact(mine.context_.stack(), &mine, mine.bounds_);
    // After each of these, another thread may run the fiber, or it may be gone.
    switch (mine.why_) {
    case leaving::yields:
        mine.team_->inject(mine);
        break;
    case leaving::parks:
        if (mine.parks_at_->falls_asleep())
            fiber_tally::add_one(tally.blocked);
        else
            mine.queue();
        break;
    case leaving::ends:
        mine.context_.end();
        give_back_fiber_stack(mine.context_.stack());
        mine.end();
        break;
    }
}

bool fiber_state::begin() noexcept {
    const fiber_stack stack = take_fiber_stack(team_->how().fiber_stack * (sanitizers::are_on ? 8 : 1));
    if (stack.lowest == nullptr)
        return false;
    bounds_ = bounds_of(stack.lowest, stack.size);
    context_.begin(stack, &call_function, this);
    return true;
}

void fiber_state::enter() noexcept {
    watch_for_overflow();
    task_member* const worker = running_thread.member;
    member_.emplace(*worker);
    innermost_ = this_thread().innermost;
    running_thread.member = &*member_;
    strand& below = switch_to(strand_);
    // It may have been left inside of a call on a larger one (large_stack.hpp).
    about_to_use_stack(strand_.stack->low, strand_.stack->high);
    context_.enter();
    switch_to(below);
    running_thread.member = worker;
}

void fiber_state::call_function(void* self) noexcept {
    auto& mine = *static_cast<fiber_state*>(self);
    try {
        mine.does_.call(mine);
    } catch (...) {
        mine.error_ = std::current_exception();
    }
    mine.locals_.destroy_all();
    mine.why_ = leaving::ends;
    mine.context_.leave_for_good();
}

bool fiber_member::wait(const wait_condition& awaited, const wait_rules&) noexcept {
    // This object is made anew whenever the fiber is entered, so it is not used any more.
    while (!awaited.is_met())
        threads::yield();
    return false;
}

void yield() noexcept {
    if (fiber_state* const self = fiber_state::that_can_wait()) {
        self->yield();
        return;
    }
    task_member* const member = running_thread.member;
    // Not on a fiber that cannot be left here (fiber_member.hpp).
    if (member != nullptr && running_strand().fiber == nullptr && has_stack() && deferral::is_in_upper_half()) {
        if (task_header* const other = member->take({})) {
            member->run(*other);
            return;
        }
    }
    yield_thread();
}

void set_name(const char* name) noexcept {
    if (fiber_state* const self = running_strand().home->fiber)
        self->set_name(name);
}

void fiber_state::end() noexcept {
    task_team& team = *team_;
    fiber_tally::add_one(own_tally().ended);
    // release: the thread that joins sees the outcome; partner: the acquire in join(). acquire: its parking can be
    // used; partner: the release in join().
    const std::uintptr_t seen = joined_.exchange(has_ended, std::memory_order_acq_rel);
    if (seen == is_detached) {
        end_detached();
    } else if (seen != is_open) {
        reinterpret_cast<parking*>(seen)->wake();
    }
    team.fibers().count_down();
}

void fiber_state::join() noexcept {
    parking here;
    std::uintptr_t seen = is_open;
    // release: our parking can be used; partner: the acquire in end(). acquire on failure: sees the outcome of a fiber
    // that has ended; partner: the release in end(). (After a wait the wake-up orders it.)
    if (joined_.compare_exchange_strong(seen, reinterpret_cast<std::uintptr_t>(&here), std::memory_order_release,
                                        std::memory_order_acquire))
        here.wait({.kind = "fiber", .event = "to end", .fiber = number_, .made = made_});
}

void fiber_state::detach() noexcept {
    std::uintptr_t seen = is_open;
    // release: our last use of the fiber comes before it is freed; partner: the acquire in end(). acquire on failure:
    // the last use by the thread that ended it comes before we free it; partner: the release in end().
    if (joined_.compare_exchange_strong(seen, is_detached, std::memory_order_release, std::memory_order_acquire))
        return;
    end_detached();
}

void fiber_state::end_detached() noexcept {
    if (error_ != nullptr)
        does_.fail(*this, take_error());
    free();
}

}  // namespace teff::threads
