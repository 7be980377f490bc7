// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fiber: a function on a stack of its own, which can be suspended in the middle and resumed on another worker. (In
// this code a suspended fiber "was left", and a resumed one is "entered".) It is the lightweight thread of Qthreads
// (Evans et al., section 2.3): scheduling is cooperative, a fiber runs until it blocks, yields or ends.
//
// A fiber is a task of a task team. While it is ready, the team's scheduler holds it like any other task. The worker
// that takes it switches to the fiber's stack (fiber_visit.hpp):
//
//   ready ---> running ---> ended        a thread that joins is woken; the stack is given back or passed on
//     ^           |
//     |           +-------> yielding     put behind the worker's other tasks, or at the end of the team's tasks from
//     |           |             |        outside (lane 0 of its lanes), where these are in use
//     +-----------|-------------+
//     |           v
//     +-------- parked                   in no queue; make_ready() ends it
//
//                     start   make_ready   join, detach    safe together?
//   start              once: the maker
//   make_ready                 once for each wait          any thread
//   join, detach                                one of them, once: the owner of the handle, while the fiber runs or not
//   that_can_wait, yield, park: on the running fiber
//
// A fiber takes its stack at its first run, from the stacks that the thread or the process keeps. So a million fibers
// that have not begun take only their records. The state that is needed only while a fiber runs lies on the stack, too
// (fiber_body). So the thread that joins an ended fiber may free the record while the fiber is still switching away
// from its stack. When a fiber has ended, and the worker's next task is a fiber that has not begun, the new fiber
// begins on the same stack: many short fibers, as of a coforall, cost one stack and no switch.
//
// A thread that joins the fiber that its worker would take next runs it. If the joiner is a fiber that has used little
// of its stack, and the joined fiber has not begun, the joiner calls its function on its own stack, without a switch.
// If the function waits there, it blocks only the joiner, which waits for it anyway. Otherwise the worker switches from
// the joiner to the joined fiber, and back when the joined one ends; neither is queued. (With a scheduler that takes
// the newest task first, a queue would lead to the same order.) In all other cases a fiber that never blocks costs a
// stack and two switches. Rejected: running a fiber on its worker's stack until it blocks. Then the worker would have
// to leave its own stack to the fiber, with everything below, such as the function of the thread that waits.
//
// Forks, groups and dataflow on a fiber queue their tasks at the worker, and their waits suspend the fiber
// (fiber_member.hpp). A fiber is suspended only by its own calls: a function of another team that was entered on the
// fiber's stack, or of a reduction, waits as a thread does (parking.hpp).
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/frontends/threads/fiber_body.hpp>
#include <teff/frontends/threads/fiber_local.hpp>
#include <teff/frontends/threads/fiber_record.hpp>
#include <teff/frontends/threads/fiber_visit.hpp>
#include <teff/task/task_header.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <stdexcept>
#include <utility>

namespace teff {

// Thrown if a thread that is exiting starts a fiber.
class thread_exits : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace teff

namespace teff::threads {

class parking;

class fiber_state : public task_header {
public:
    // call: calls the fiber's function, and destroys what fiber_locals have made for it. destroy: frees the fiber; it
    // has ended, and no handle refers to it. A detached fiber is freed where it has ended, so that its function's
    // destructor may wait there; otherwise the thread that joins or detaches it does. fail: takes the exception that
    // ended a detached fiber, before destroy.
    struct actions {
        void (*call)(fiber_state& self, local_values& locals);
        void (*destroy)(fiber_state& self) noexcept;
        void (*fail)(fiber_state& self, std::exception_ptr error) noexcept;
    };
    // made: the place in the program, for messages.
    fiber_state(const actions& does, const site& made) noexcept;

    static void* operator new(std::size_t size) { return take_record_memory(size); }
    static void operator delete(void* ended, std::size_t size) noexcept { give_back_record_memory(ended, size); }
    // The same for a function with a larger alignment than the allocator's.
    static void* operator new(std::size_t size, std::align_val_t alignment) { return ::operator new(size, alignment); }
    static void operator delete(void* ended, std::align_val_t alignment) noexcept {
        ::operator delete(ended, alignment);
    }

    // Makes the fiber ready in the team of the calling thread, which gets a team if it is in none. Throws
    // stack_exhausted, std::bad_alloc or thread_exits; then the fiber does not start.
    void start();
    // The same on a shepherd (binding.hpp). Also throws std::out_of_range.
    void start_on(unsigned shepherd);
    // Starts it as a detached one, and runs it at once on this member of the calling thread, which runs no fiber.
    // Returns when the fiber has ended or waits.
    void run_detached_on(task_member& worker) noexcept;
    // Returns when the function has ended. The caller then takes the error and frees the fiber.
    void join() noexcept;
    std::exception_ptr take_error() noexcept { return std::move(error_); }
    // From now on the fiber frees itself at its end.
    void detach() noexcept;
    // After join().
    void free() noexcept { does_.destroy(*this); }

    // The fiber that the calling code runs on, if it can be suspended there; otherwise nullptr.
    static fiber_state* that_can_wait() noexcept;
    // On this fiber.
    void yield() noexcept;
    // Suspends the fiber until make_ready(), which any thread may call as soon as stays(argument) has begun. stays() is
    // called after the switch, or before it if no other worker can enter the fiber (fiber_visit.hpp). If stays()
    // returns false, park() returns without make_ready(). Defined in fiber_leaving.hpp.
    void park(fiber_body::condition stays, void* argument) noexcept;

    // On this fiber. binding: the word `priority` of a task that is bound; 0: not bound. The fiber moves to that
    // shepherd.
    void set_binding(std::uint32_t binding) noexcept;

    // Ends park(). Any thread, once for each wait. Defined in fiber_leaving.hpp.
    void make_ready() noexcept;

    // The member of the calling thread, below the fiber that it runs; nullptr: it is in no team.
    static task_member* worker_member() noexcept;

    // Names the fiber in messages. Numbers begin with 1, and count up for the fibers that one thread starts.
    std::uint64_t number() const noexcept { return number_; }
    // nullptr: no name. On this fiber; the text stays the caller's.
    const char* name() const noexcept { return name_; }
    void set_name(const char* name) noexcept { name_ = name; }
    // The wait record of its stack; nullptr: it has not begun. On this fiber.
    wait_record* waits() const noexcept {
        return body_ != nullptr ? static_cast<wait_record*>(body_->stack.record) : nullptr;
    }
    // On this fiber.
    local_values& locals() noexcept { return locals_; }
    const stack_bounds& bounds() const noexcept { return body_->bounds; }

    // For the trace: the address of a function that calls the fiber's.
    const void* address_of_call() const noexcept { return reinterpret_cast<const void*>(does_.call); }

    // For fiber_visit.
    static bool is_fiber(const task_header& some) noexcept { return some.run == &run_on_this_thread; }
    // Gives the fiber a stack if it has none, on which it begins with these control words; nullptr: there is no memory.
    fiber_body* begin(const control_words& words) noexcept { return body_ != nullptr ? body_ : take_stack(words); }
    bool is_of(const task_team& team) const noexcept { return team_ == &team; }
    // Puts the fiber into a queue of its team. worker: the member of the calling thread; nullptr: it is in no team.
    void queue_by(task_member* worker) noexcept;
    void inject() noexcept;

private:
    // States of joined_: one of these, or the address of the parking of the thread that joins.
    static constexpr std::uintptr_t is_open = 0, has_ended = 1, is_detached = 2;

    static void run_on_this_thread(task_header& self) noexcept;
    // Begins on a kept stack or a new one; nullptr: there is no memory for one.
    fiber_body* take_stack(const control_words& words) noexcept;
    static fiber_context::next_code call_function(void* body, fiber_context& left) noexcept;
    // Returns the fiber that joins this one, if the worker goes on with that fiber.
    fiber_state* run_to_end() noexcept;
    // Takes over the body, and so the stack, of a fiber that has ended. False: this fiber has a body already.
    bool begin_on(fiber_body& ended) noexcept;
    bool is_known_to_have_ended() const noexcept;
    void call_on_stack_of(fiber_state& joiner) noexcept;
    void join_by_thread() noexcept;
    void wait_for_end() noexcept;
    wait_reason for_report() const noexcept {
        return {.kind = "fiber", .event = "to end", .fiber = number_, .made = made_, .is_for_tasks = true};
    }
    void call(fiber_state& on) noexcept;
    struct ending {
        bool is_detached;
        fiber_state* joiner;  // the caller makes it ready; nullptr: none
    };
    ending end(fiber_tally& tally) noexcept;
    void end_detached() noexcept;

    const actions& does_;
    // constant after start()
    task_team* team_ = nullptr;
    std::uint64_t number_ = 0;
    const site made_;

    atomic<std::uintptr_t> joined_{is_open};

    // only the thread that runs the fiber accesses these
    fiber_body* body_ = nullptr;  // nullptr: it has not begun
    std::exception_ptr error_;
    local_values locals_;
    const char* name_ = nullptr;
};

// Lets other tasks run. A fiber goes to the end of the team's tasks from outside. On another member of a team, one
// task runs on top of the calling function, if there is stack for it; any other thread yields its processor.
void yield() noexcept;
// Names the running fiber, if there is one.
void set_name(const char* name) noexcept;

}  // namespace teff::threads
