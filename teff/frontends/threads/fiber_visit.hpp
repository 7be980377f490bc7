// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A worker's visit to the fibers of its team: from the switch to a first fiber until some fiber switches back to the
// worker's own stack. In between, a fiber that is left switches directly to the next one:
//
//   worker ---> fiber ---> fiber ---> ... ---> worker
//
// So a switch between fibers is one switch of stacks and not two. A fiber goes back to the worker when what the worker
// waits for has happened, when the worker's next task is no fiber, and when there is none.
//
// Another worker may enter a fiber as soon as it can find it, or free it. So what makes that possible is done after the
// switch, by the code that it led to (finish_left()).
//
// A visit lies on the stack of the worker. Only the code that the worker runs accesses it.
#pragma once

#include <teff/fiber/fiber_context.hpp>
#include <teff/frontends/threads/fiber_member.hpp>
#include <teff/reclaim/collector_stacks.hpp>
#include <teff/runtime/strand.hpp>
#include <teff/runtime/worker.hpp>

namespace teff::threads {

class fiber_state;
class fiber_visit;

// What a fiber has from its first run on; at the high end of its stack.
struct fiber_body {
    enum class leaving : unsigned char { yields, parks, ends };
    using condition = bool (*)(void* argument) noexcept;

    fiber_body(fiber_state& fiber, const fiber_stack& taken) noexcept;
    // Gives the body to a fiber that has not begun; its own one has ended.
    void pass_to(fiber_state& next) noexcept;
    // Whether the fiber has used at most an eighth of its stack, down to this frame.
    bool has_nearly_all_free(const void* frame) const noexcept {
        return bounds.high - reinterpret_cast<std::uintptr_t>(frame) <= (bounds.high - bounds.low) / 8;
    }

    fiber_state* record;  // dangling once the fiber has ended
    const fiber_stack stack;
    const stack_bounds bounds;
    strand own;
    fiber_context context;
    fiber_visit* visit = nullptr;  // of the worker that runs the fiber
    // how the fiber was left; parks: unless stays(argument) returns false
    leaving how = leaving::ends;
    condition stays = nullptr;
    void* argument = nullptr;
};

class fiber_visit {
public:
    explicit fiber_visit(task_member& worker) noexcept;
    fiber_visit(const fiber_visit&) = delete;
    fiber_visit& operator=(const fiber_visit&) = delete;

    // On the worker's stack. Returns when a fiber has switched back.
    void run(fiber_body& first) noexcept;

    // Fibers begin with them, whatever the fiber that was left before has set.
    const control_words& control_words_of_worker() const noexcept { return words_; }

    // The other functions are called on a fiber.
    task_member& worker() const noexcept { return worker_; }
    // Whether the calling code is in no other team and on top of no other task.
    bool is_innermost() const noexcept {
        return member_.depth() == worker_.depth() && this_thread().innermost == innermost_;
    }
    // Whether the worker goes on with other things than its tasks.
    bool is_wanted_back() const noexcept;
    // Takes the worker's next task. If it is a fiber, returns it. Otherwise returns nullptr, and keeps the task for the
    // worker.
    fiber_state* take_next_fiber() noexcept;
    // For leave(): gives the fiber a stack if it has none. nullptr if there is no fiber, or no stack; then the worker
    // has it.
    fiber_body* begin(fiber_state* next) noexcept;
    fiber_body* take_next() noexcept;
    bool has_other() const noexcept { return other_ != nullptr; }
    // Leaves the calling fiber, for `next` or the worker. leave() returns when the fiber is entered again.
    static void leave(fiber_body& left, fiber_body* next) noexcept;
    [[noreturn]] static void leave_for_good(fiber_body& left, fiber_body* next) noexcept;
    // For the code that a switch has led to.
    void finish_left() noexcept;
    // Makes the calling thread a member of its team again that runs no fiber, while it is still on the fiber's stack.
    void return_to_worker() noexcept;
    // Makes the calling thread a member that runs this fiber.
    void enter(fiber_body& next) noexcept;

private:
    bool goes_back() const noexcept;
    fiber_context& prepare(fiber_body& left, fiber_body* next) noexcept;

    task_member& worker_;
    fiber_member member_;
    strand& below_;  // the worker's
    const membership* const innermost_;
    const control_words words_;
    fiber_context outside_;         // the worker's, on its own stack
    change_of_stack collector_;
    fiber_body* left_ = nullptr;    // the fiber that was left last; nullptr: none, or finish_left() was called
    task_header* other_ = nullptr;  // a task for the worker
};

}  // namespace teff::threads
