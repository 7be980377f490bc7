// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces, in the model build, the sources of frontends/threads that have no part in a protocol. Stacks and records
// come from the heap of the execution, which watches them, and no thread keeps any for its next fibers. No fiber has a
// number, there are no reports, and no call continues on another stack.
#include <model/overlay/fibers.hpp>

#include <teff/base/allocation.hpp>
#include <teff/frontends/threads/fiber_body.hpp>
#include <teff/frontends/threads/fiber_record.hpp>
#include <teff/frontends/threads/stack_overflow.hpp>
#include <teff/strand/more_stack.hpp>
#include <teff/strand/stack.hpp>

#include <model/operations.hpp>

#include <memory>
#include <new>

namespace model {

constinit bool has_memory_for_stacks = true;

}  // namespace model

namespace teff::threads {

fiber_body::fiber_body(const fiber_stack& taken) noexcept
    : stack(taken), bounds(bounds_of(taken.lowest, taken.size)) {}

fiber_body* take_body(std::size_t size) noexcept {
    if (!model::has_memory_for_stacks)
        return nullptr;
    const fiber_stack taken{.lowest = allocate(size, cache_line_size), .size = size};
    return taken.lowest != nullptr ? ::new (fiber_body::place_on(taken)) fiber_body(taken) : nullptr;
}

void give_back_body(fiber_body& ended) noexcept {
    ended.end();
    const fiber_stack stack = ended.stack;
    std::destroy_at(&ended);
    deallocate(stack.lowest, stack.size, cache_line_size);
}

void* take_record_memory(std::size_t size) { return ::operator new(size); }
void give_back_record_memory(void* ended, std::size_t) noexcept { ::operator delete(ended); }

std::uint64_t next_fiber_number() noexcept { return 0; }
void make_waits_known() noexcept {}

constinit thread_local bool watches_for_overflow = true;
void begin_watch_for_overflow() noexcept {}
void tell_of_overflow(const fiber_state*, const stack_bounds&) noexcept { model::fail("a fiber used up its stack"); }

}  // namespace teff::threads

namespace teff {

bool canary_is_intact(const void*) noexcept { return true; }

bool call_on_more_stack(void (*)(void*), void*) { return false; }

}  // namespace teff
