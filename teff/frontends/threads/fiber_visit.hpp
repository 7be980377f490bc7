// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A worker's visit to the fibers of its team: from the switch to a first fiber until some fiber switches back to the
// worker's own stack. In between, a fiber that is left switches directly to the next one:
//
//   worker ---> fiber ---> fiber ---> ... ---> worker
//
// So a switch between fibers is one stack switch, not two. A fiber switches back to the worker in three cases: the
// worker's wait is over, the worker's next task is not a fiber, or there is no next task.
//
// As soon as another worker can find a fiber, it may enter the fiber, or free it. So the step that publishes the fiber
// is done after the switch, by the code that the switch leads to (finish()). A team with a single slot has no other
// worker. There the step is done before the switch, since a processor predicts calls badly after a switch. If a thread
// outside the team wakes the fiber early, the fiber is only queued.
//
// A visit lies on the stack of the worker. Only the code that the worker runs accesses it. It holds the addresses of
// the thread's own state. A fiber finds them through its body, by one load, which it repeats after each switch, when it
// may be on another thread. (A compiler may keep an address of thread-local storage across a switch. Then the address
// belongs to the thread that the fiber ran on before.)
//
// The functions that switch from one fiber to another are in fiber_leaving.hpp.
#pragma once

#include <teff/frontends/threads/fiber_body.hpp>
#include <teff/frontends/threads/fiber_counts.hpp>
#include <teff/frontends/threads/fiber_member.hpp>
#include <teff/reclaim/collector_stacks.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/strand/worker.hpp>

namespace teff::threads {

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
    fiber_tally& tally() const noexcept { return tally_; }
    const fiber_context::thread_part& part_of_thread() const noexcept { return part_; }
    // Whether the calling code is in no other team and on top of no other task.
    bool is_innermost() const noexcept {
        return member_.depth() == worker_.depth() && state_.innermost == innermost_;
    }
    // Whether the worker goes on with other things than its tasks. (In the child of a fork() the thread is no member
    // any more.)
    bool is_wanted_back() const noexcept { return thread_.member == nullptr || !worker_.takes_next(); }
    // Whether no other worker could enter a fiber that is about to be left.
    bool is_alone() const noexcept { return worker_.team().is_alone(); }
    // The fiber has begun to wait, unless it does not stay.
    void finish_park(fiber_state& parked, bool stays) noexcept;
    // Takes the worker's next task. If it is a fiber, returns it. Otherwise returns nullptr, and keeps the task for the
    // worker.
    fiber_state* take_next_fiber() noexcept;
    // The same for a task that was taken, or nullptr.
    fiber_state* as_fiber(task_header* taken) noexcept;
    // For leave(): gives the fiber a stack if it has none. nullptr if there is no fiber, or no stack; then the worker
    // has it.
    fiber_body* begin(fiber_state* next) noexcept;
    fiber_body* take_next() noexcept { return begin(take_next_fiber()); }
    // Whether a fiber that has become ready can go on now, instead of being queued: it would be the next one.
    bool can_go_on_with(const fiber_state& ready) const noexcept;
    // Leaves the calling fiber, for `next` or the worker. Returns when the fiber is entered again.
    static void leave(fiber_body& left, fiber_body* next) noexcept;
    // The same for a fiber whose function has ended. The thread goes on with what this returns.
    static fiber_context::next_code exit(fiber_body& left, fiber_body* next) noexcept;
    // For the code that a switch has led to from `left`.
    void finish(fiber_context& left) noexcept;
    // The fiber that has ended passes its body on to one that begins.
    void begin_again(fiber_body& passed) noexcept {
        fiber_context::begin_again(words_, part_);
        switch_to(thread_, passed.own);
    }

private:
    fiber_context& prepare(fiber_body* next) noexcept;
    // Makes the thread a member of its team that runs no fiber, before or after it goes back to the worker's stack.
    void return_to_worker() noexcept {
        thread_.member = &worker_;
        switch_to(thread_, below_);
    }

    task_member& worker_;
    fiber_member member_;
    // of the worker's thread
    thread_context& thread_;
    const thread_state& state_;
    fiber_tally& tally_;
    const fiber_context::thread_part part_;
    strand& below_;  // the worker's
    const membership* const innermost_;
    const control_words words_;
    fiber_context outside_;         // the worker's, on its own stack
    change_of_stack collector_;
    task_header* other_ = nullptr;  // a task for the worker
};

}  // namespace teff::threads
