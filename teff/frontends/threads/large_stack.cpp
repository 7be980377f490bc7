// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls on a larger stack from the pool of fibers' stacks; see large_stack.hpp.
#include <teff/frontends/threads/large_stack.hpp>

#include <teff/base/atomic.hpp>
#include <teff/base/request_mark.hpp>
#include <teff/fiber/fiber_stack.hpp>
#include <teff/fiber/sanitizers.hpp>
#include <teff/frontends/threads/stack_overflow.hpp>
#include <teff/reclaim/collector_stacks.hpp>
#include <teff/strand/more_stack.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/strand/stack.hpp>
#include <teff/team/task_team.hpp>
#include <teff/team/team_options.hpp>

#include <cstdint>
#include <exception>
#include <new>
#include <utility>

namespace teff::threads {
namespace {

// Returns the bounds that the running strand had. Out of line, since another thread may continue the caller.
[[gnu::noinline]] const stack_bounds* exchange_bounds(const stack_bounds* next) noexcept {
    strand& own_strand = running_strand();
    const stack_bounds* const before = std::exchange(own_strand.stack, next);
    // The thread's limit for plain forks belongs to the other stack.
    switch_to(own_strand);
    return before;
}

bool has_left(std::size_t bytes) noexcept {
    const stack_bounds& stack = measured_stack();
    const std::uintptr_t stack_top = stack_pointer();
    return stack_top >= stack.low && stack_top < stack.high && stack_top - stack.low >= bytes;
}

struct caught_call {
    void (*const what)(void* argument);
    void* const argument;
    const stack_bounds& outside;
    change_of_stack change;
    std::exception_ptr error;

    static void run(void* self) noexcept {
        auto& mine = *static_cast<caught_call*>(self);
        mine.change.end();
        try {
            mine.what(mine.argument);
        } catch (...) {
            mine.error = std::current_exception();
        }
        mine.change.begin(mine.outside.low, mine.outside.high);
    }
};

// Calls the function on a stack of this size. False: there is no memory for the stack, and nothing was called.
bool call_on_stack_of(std::size_t bytes, void (*what)(void* argument), void* argument) {
    const fiber_stack stack = take_fiber_stack(bytes);
    if (stack.lowest == nullptr)
        return false;
    watch_for_overflow();
    const stack_bounds bounds = bounds_of(stack.lowest, stack.size);
    caught_call made{what, argument, measured_stack(), {}, nullptr};
    const stack_bounds* const before = exchange_bounds(&bounds);
    made.change.begin(bounds.low, bounds.high);
    call_on_stack(stack, &caught_call::run, &made);
    made.change.end();
    exchange_bounds(before);
    require_intact(stack, running_strand().home->fiber, bounds);
    give_back_fiber_stack(stack);
    if (made.error != nullptr)
        std::rethrow_exception(std::move(made.error));
    return true;
}

constexpr std::size_t more_stack_size = std::size_t{8} << 20;
// Bytes of the further stacks that are in use (strand/more_stack.hpp).
constinit atomic<std::size_t> more_stack_in_use{0};

// Out of line: the call may end on another thread.
[[gnu::noinline]] const task_member* own_member() noexcept { return running_thread.member; }

// A thread without a team may have little stack, so it reads its options on the further stack: the options may depend
// on the machine, and reading the machine's description for the first time needs much stack.
struct call_within_limit {
    void (*const what)(void* argument);
    void* const argument;
    const std::size_t in_use;
    bool was_made = false;

    static void run(void* self) {
        auto& mine = *static_cast<call_within_limit*>(self);
        mine.was_made = mine.in_use <= resolve({}).more_stack;
        if (mine.was_made)
            mine.what(mine.argument);
    }
};

}  // namespace

void call_with_stack(std::size_t bytes, void (*what)(void* argument), void* argument) {
    if (has_left(bytes))
        what(argument);
    else if (!call_on_stack_of(bytes * (sanitizers::is_program_instrumented() ? 8 : 1), what, argument))
        throw std::bad_alloc();
}

}  // namespace teff::threads

namespace teff {

bool call_on_more_stack(void (*what)(void* argument), void* argument) {
    using threads::more_stack_in_use;
    using threads::more_stack_size;
    if (!is_stack_large_enough())
        return false;
    // Taken back at the end, also if the function throws. relaxed: a count, by which nothing is published.
    const struct claim {
        const std::size_t before = more_stack_in_use.fetch_add(more_stack_size, std::memory_order_relaxed);
        ~claim() { more_stack_in_use.fetch_sub(more_stack_size, std::memory_order_relaxed); }  // relaxed: as above
    } claimed;
    const std::size_t in_use = claimed.before + more_stack_size;
    if (const task_member* const self = threads::own_member())
        return in_use <= self->team().how().more_stack &&
               threads::call_on_stack_of(more_stack_size, what, argument);
    threads::call_within_limit made{what, argument, in_use};
    return threads::call_on_stack_of(more_stack_size, &threads::call_within_limit::run, &made) && made.was_made;
}

}  // namespace teff
