// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies that each thread keeps for its next fibers, and how reports of a deadlock or a stall find the waits of
// fibers by their bodies; see fiber_body.hpp.
#include <teff/frontends/threads/fiber_body.hpp>

#include <teff/base/thread.hpp>
#include <teff/fiber/fiber_stack.hpp>
#include <teff/fiber/sanitizers.hpp>
#include <teff/observe/stall_report.hpp>
#include <teff/observe/thread_waits.hpp>
#include <teff/strand/stack.hpp>

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

namespace teff::threads {
namespace {

// At most 32 bodies, and at most 8 MiB of stacks, since a fiber may have touched all of its stack.
constexpr std::size_t most_count = 32;
constexpr std::size_t most_bytes = std::size_t{8} << 20;

// The stacks of the bodies that the calling thread keeps have one size. The object has no destructor, since fibers may
// run while the thread exits.
struct spare_bodies {
    fiber_body* first = nullptr;  // last in, first out: the one that was used last is likely to be in a cache
    std::size_t size = 0;         // of each stack; 0: the thread has kept none so far
    std::size_t room = 0;         // for more

    fiber_body* take() noexcept {
        ++room;
        return std::exchange(first, first->next_spare);
    }
};

constinit thread_local spare_bodies own_bodies;

void free_body(fiber_body& ended) noexcept {
    const fiber_stack stack = ended.stack;
    std::destroy_at(&ended);
    give_back_fiber_stack(stack);
}

void give_back_all() noexcept {
    while (own_bodies.first != nullptr)
        free_body(*own_bodies.take());
    own_bodies.room = 0;
}

[[gnu::noinline]] void begin_to_keep(std::size_t size) noexcept {
    if (!call_at_thread_end<give_back_all>())
        return;
    own_bodies.size = size;
    own_bodies.room = std::clamp<std::size_t>(most_bytes / size, 1, most_count);
}

[[gnu::noinline]] fiber_body* make_body(std::size_t size) noexcept {
    const fiber_stack stack = take_fiber_stack(size);
    if (stack.lowest == nullptr)
        return nullptr;
    return ::new (fiber_body::place_on(stack)) fiber_body(stack);
}

}  // namespace

fiber_body::fiber_body(const fiber_stack& taken) noexcept
    : stack(taken), bounds(bounds_of(taken.lowest, taken.size)) {}

fiber_body* take_body(std::size_t size) noexcept {
    spare_bodies& own = own_bodies;
    // The size of a stack is rounded up.
    if (own.first != nullptr && own.size >= size && own.size / 2 <= size) [[likely]]
        return own.take();
    return make_body(size);
}

void give_back_body(fiber_body& ended) noexcept {
    ended.end();
    spare_bodies& own = own_bodies;
    // Functions that never returned have left their marks.
    sanitizers::unpoison(ended.stack.lowest, ended.stack.size);
    if (own.size == 0) [[unlikely]]
        begin_to_keep(ended.stack.size);
    if (own.room == 0 || ended.stack.size != own.size) [[unlikely]] {
        free_body(ended);
        return;
    }
    --own.room;
    ended.next_spare = std::exchange(own.first, &ended);
}

static_assert(sizeof(wait_record) <= stack_record_size);

namespace {

using visitor = bool(const noted_wait& wait, const void* fiber, void* argument) noexcept;

bool find_fiber_wait(visitor* visit, void* argument) noexcept {
    struct call {
        visitor* visit;
        void* argument;
    } made{visit, argument};
    return find_fiber_stack(
        [](const fiber_stack& each, void* given) noexcept {
            const auto wait = noted_wait::of(*static_cast<const wait_record*>(each.record));
            const call& to = *static_cast<const call*>(given);
            return wait && to.visit(*wait, fiber_body::place_on(each), to.argument);
        },
        &made);
}

// All threads are held asleep (quiescence.hpp), so a fiber whose wait is noted is suspended there.
std::size_t calls_of_fiber(const void* fiber, std::span<void*> calls) noexcept {
    return std::launder(static_cast<const fiber_body*>(fiber))->calls(calls);
}

constexpr wait_listener listener{&find_fiber_wait, &calls_of_fiber};

}  // namespace

void make_waits_known() noexcept {
    quiescence& still = process_quiescence();
    if (still.listener() == nullptr) [[unlikely]]
        still.listen(listener);
    know_this_thread();
}

}  // namespace teff::threads
