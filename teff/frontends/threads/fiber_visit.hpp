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
// is done after the switch, by the code that the switch enters (finish()). A team with a single slot has no other
// worker, so there the step is done before the switch, which is faster: the processor mispredicts returns after a
// switch. If a thread outside the team wakes the fiber early, the fiber is only queued.
//
// A visit lies on the worker's stack. Only code that runs on the worker's thread accesses it. It holds the addresses of
// the thread's own state. A fiber finds its visit through its body, by one load, which it repeats after each switch,
// since it may be on another thread then. (An address of thread-local storage would not do: a compiler may keep it
// across a switch, and then it belongs to the fiber's previous thread.)
//
// The functions that switch from one fiber to another are in fiber_leaving.hpp, the others in fiber_state.cpp.
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

    // Called on the worker's stack. Returns when a fiber has switched back.
    void run(fiber_body& first) noexcept;

    // The control words with which fibers begin, whatever the previous fiber has set.
    const control_words& control_words_of_worker() const noexcept { return words_; }

    // The other functions are called on a fiber.
    task_member& worker() const noexcept { return worker_; }
    fiber_tally& tally() const noexcept { return tally_; }
    const fiber_context::thread_part& part_of_thread() const noexcept { return part_; }
    // Whether the calling code is in no other team and on top of no other task.
    bool is_innermost() const noexcept {
        return member_.depth() == worker_.depth() && state_.innermost == innermost_;
    }
    // Whether the worker needs its own stack before another task may run: its loop would not take just any task next
    // (task_member::takes_next()). (In the child of a fork() the thread is no member any more.)
    bool is_wanted_back() const noexcept { return thread_.member == nullptr || !worker_.takes_next(); }
    // Whether no other worker could enter a fiber that is about to be left.
    bool is_alone() const noexcept { return worker_.team().is_alone(); }
    // Ends park(): counts the fiber as blocked, or queues it again if it does not stay parked.
    void finish_park(fiber_state& parked, bool stays) noexcept;
    // Takes the worker's next task. If it is a fiber, returns it. Otherwise returns nullptr, and keeps the task for the
    // worker.
    fiber_state* take_next_fiber() noexcept;
    // The same for a task that was taken, or nullptr.
    fiber_state* as_fiber(task_header* taken) noexcept;
    // For leave(): gives the fiber a stack if it has none, and returns its body. nullptr if there is no fiber; also if
    // there is no memory for a stack, and then the fiber is kept for the worker.
    fiber_body* begin(fiber_state* next) noexcept;
    fiber_body* take_next() noexcept { return begin(take_next_fiber()); }
    // Whether a fiber that has become ready can run at once instead of being queued, since the worker would take it
    // next.
    bool can_go_on_with(const fiber_state& ready) const noexcept;
    // Leaves the calling fiber, and enters `next`; nullptr: the worker. Returns when the fiber is entered again.
    static void leave(fiber_body& left, fiber_body* next) noexcept;
    // The same for a fiber whose function has ended: returns the context that the thread enters.
    static fiber_context::next_code exit(fiber_body& left, fiber_body* next) noexcept;
    // Called after a switch, by the code that was entered: does the last step of leaving `left`.
    void finish(fiber_context& left) noexcept;
    // For a fiber that has ended and has passed its body on to a fiber that begins.
    void begin_again(fiber_body& passed) noexcept {
        fiber_context::begin_again(words_, part_);
        switch_to(thread_, passed.own);
    }

private:
    fiber_context& prepare(fiber_body* next) noexcept;
    // Makes the thread the worker's member again, which runs no fiber; called before or after the switch to the
    // worker's stack.
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
