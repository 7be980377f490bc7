// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of a fiber's state that exists from its first run on, at the high end of its stack: the strand, the saved
// context, and the reason of the last switch away from the fiber.
//
// A body outlives its fiber: the thread keeps a few bodies, with their stacks, for the next fibers. So most fibers get
// and give back a stack without a mutex, and fields that are the same for each fiber on a stack are not written again.
// A thread gives its bodies back when it exits. take_body() and give_back_body() act on the calling thread. A body need
// not be given back by the thread that took it.
//
// The report of a deadlock or a stall (observe/stall_report.hpp) goes through the stacks of all fibers: a fiber's wait
// is noted in the record of its stack (strand/wait_reason.hpp), and its body has the calls that led there.
#pragma once

#include <teff/base/shared_data.hpp>
#include <teff/fiber/fiber_context.hpp>
#include <teff/strand/strand.hpp>

#include <cstddef>

namespace teff::threads {

class fiber_state;
class fiber_visit;

struct fiber_body : fiber_context {
    enum class leaving : unsigned char { prepared, yields, parks, ends };
    using condition = bool (*)(void* argument) noexcept;

    explicit fiber_body(const fiber_stack& taken) noexcept;
    // Gives the body to a fiber that has not begun.
    void pass_to(fiber_state& next) noexcept;
    // The place of the body on a stack.
    static void* place_on(const fiber_stack& stack) noexcept;
    // Whether the fiber has used at most an eighth of its stack, down to this frame.
    bool has_nearly_all_free(const void* frame) const noexcept {
        return bounds.high - reinterpret_cast<std::uintptr_t>(frame) <= (bounds.high - bounds.low) / 8;
    }

    // constant
    const fiber_stack stack;
    const stack_bounds bounds;
    // of the fiber
    fiber_state* record = nullptr;  // dangling once the fiber has ended
    strand own;
    fiber_visit* visit = nullptr;   // of the worker that runs the fiber
    // How the fiber was left, and so what finish() does after the switch. parks: calls stays(argument). prepared:
    // nothing, since the last step was done before the switch.
    leaving left_as = leaving::ends;
    condition stays = nullptr;
    void* argument = nullptr;
    // of the thread that keeps the body
    fiber_body* next_spare = nullptr;
};

// The number of bytes at the high end of the stack that the body takes.
inline constexpr std::size_t room_for_body =
    (sizeof(fiber_body) + cache_line_size - 1) / cache_line_size * cache_line_size;

inline void* fiber_body::place_on(const fiber_stack& stack) noexcept {
    return static_cast<std::byte*>(stack.lowest) + stack.size - room_for_body;
}

// A body with a stack of at least `size` bytes; nullptr: there is no memory.
fiber_body* take_body(std::size_t size) noexcept;
// Call after the fiber has ended and its stack was left.
void give_back_body(fiber_body& ended) noexcept;

// From here on the deadlock detection counts the calling thread, and reports find the waits of fibers.
void make_waits_known() noexcept;

}  // namespace teff::threads
