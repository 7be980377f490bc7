// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fiber: a function on a stack of its own, which can be left in the middle and entered again on another worker. The
// lightweight thread of Qthreads (Evans et al., section 2.3): scheduling is cooperative, a fiber runs until it blocks,
// yields or ends.
//
// A fiber is a task of a task team. While it is ready, the team's scheduler has it like any other task. The worker that
// takes it switches to the fiber's stack, and comes back when the fiber is left:
//
//   ready ---> running ---> ended        the stack is given back; a thread that joins is woken
//     ^           |
//     |           +-------> yielding     put at the end of the team's tasks from outside (lane 0 of its lanes)
//     |           |             |
//     +-----------|-------------+
//     |           v
//     +-------- parked                   in no queue; parking::wake() makes it ready
//
//                     start   make_ready   join, detach    safe together?
//   start              once: the maker
//   make_ready                 once for each wait          any thread
//   join, detach                                one of them, once: the owner of the handle, while the fiber runs or not
//   that_can_wait, yield, park: on the running fiber
//
// Where a stack is taken: at the first run, from the pool, so a million fibers that have not begun take only their
// records. Rejected, for now: to run a fiber on its worker's stack until it blocks. It would save the switch of a fiber
// that never blocks, but the worker would have to leave its own stack to the fiber.
//
// Forks, groups and dataflow on a fiber are plain calls (fiber_member.hpp). A fiber is left only from its own calls: a
// function of another team that was entered on the fiber's stack, or of a reduction, waits as a thread does
// (parking.hpp).
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/fiber/fiber_context.hpp>
#include <teff/frontends/threads/fiber_local.hpp>
#include <teff/frontends/threads/fiber_member.hpp>
#include <teff/frontends/threads/surroundings.hpp>
#include <teff/runtime/strand.hpp>
#include <teff/runtime/worker.hpp>
#include <teff/task/task_header.hpp>

#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

namespace teff {

// A thread that is exiting was to start a fiber.
class thread_exits : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace teff

namespace teff::threads {

class parking;
class wait_record;

class fiber_state : public task_header {
public:
    // call: calls the fiber's function. destroy: frees the fiber; it has ended, and no handle refers to it. fail: takes
    // the exception that ended a detached fiber, before destroy.
    struct actions {
        void (*call)(fiber_state& self);
        void (*destroy)(fiber_state& self) noexcept;
        void (*fail)(fiber_state& self, std::exception_ptr error) noexcept;
    };
    // made: where, for messages.
    fiber_state(const actions& does, const site& made) noexcept;

    // Makes the fiber ready in the team of the calling thread, which gets a team if it is in none. Throws
    // stack_exhausted, std::bad_alloc or thread_exits; then the fiber does not start.
    void start();
    // Returns when the function has ended. The caller then takes the error and frees the fiber.
    void join() noexcept;
    std::exception_ptr take_error() noexcept { return std::move(error_); }
    // The fiber frees itself.
    void detach() noexcept;
    // After join().
    void free() noexcept { does_.destroy(*this); }

    // The fiber that the calling code runs on and that can be left there; nullptr: there is none.
    static fiber_state* that_can_wait() noexcept;
    // On this fiber. park() returns after where.wake().
    void yield() noexcept;
    void park(parking& where) noexcept;

    // After the fiber was put aside.
    void make_ready() noexcept;

    // Names the fiber in messages. Numbers begin with 1, and count up for the fibers that one thread starts.
    std::uint64_t number() const noexcept { return number_; }
    // nullptr: it has none. On this fiber; the text stays the caller's.
    const char* name() const noexcept { return name_; }
    void set_name(const char* name) noexcept { name_ = name; }
    // Of its stack; nullptr: it has not begun.
    wait_record* waits() const noexcept { return static_cast<wait_record*>(context_.stack().record); }
    // On this fiber.
    surroundings& around() noexcept { return around_; }
    local_values& locals() noexcept { return locals_; }
    const stack_bounds& bounds() const noexcept { return bounds_; }

private:
    enum class leaving : unsigned char { yields, parks, ends };
    // States of joined_: one of these, or the address of the parking of the thread that joins.
    static constexpr std::uintptr_t is_open = 0, has_ended = 1, is_detached = 2;

    static task_member* worker_member() noexcept;
    void queue() noexcept;
    static void run_on_this_thread(task_header& self) noexcept;
    static void call_function(void* self) noexcept;
    bool begin() noexcept;
    void enter() noexcept;
    void end() noexcept;
    void end_detached() noexcept;

    const actions& does_;
    // constant after start()
    task_team* team_ = nullptr;
    std::uint64_t number_ = 0;
    const site made_;

    atomic<std::uintptr_t> joined_{is_open};

    // only the thread that runs the fiber accesses the rest
    fiber_context context_;
    strand strand_;
    stack_bounds bounds_;
    std::exception_ptr error_;
    surroundings around_;
    local_values locals_;
    parking* parks_at_ = nullptr;
    const char* name_ = nullptr;
    leaving why_ = leaving::ends;
    // of the worker that runs it: its member, and the innermost team that it works in
    std::optional<fiber_member> member_;
    const membership* innermost_ = nullptr;
};

// Lets other tasks run. A fiber goes to the end of the team's tasks from outside. On another member of a team, one
// task runs on top of the calling function, if there is stack for it; any other thread yields its processor.
void yield() noexcept;
// Names the running fiber, if there is one.
void set_name(const char* name) noexcept;

}  // namespace teff::threads
