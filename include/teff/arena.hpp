// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arenas: a set of threads with options of its own, which work can be sent to. An arena limits how many threads work
// for a part of a program, and says which part idle workers help first, and on which CPUs they do so.
//
//   teff::arena background({.threads = 2}, {.priority = teff::arena_priority::low});
//   background.enqueue([] { compress_logs(); });                    // returns at once
//   const long sum = background.execute([] { return count(); });    // on the calling thread, inside the arena
//   background.wait();                                              // for what was enqueued
//
// The workers are those of the process: an arena starts no threads but up to the number that it may have, and all
// arenas and other calls share them. An arena of N threads never has more than N threads in it, workers and callers of
// execute() together. A worker that runs out of work goes to the first arena that has some, in the order of their
// priorities; a worker is not called away from work that it has.
//
// A fork, a group or a loop in an arena's task is work of the arena. Calls that make a team of their own are not
// limited by it: reduce_tasks(), isolate(), and teff::execute() with options.
//
// Differs from oneTBB's task_arena: one that is full waits without blocking the threads of the caller's own team; an
// arena never has more threads than it says, also if one thread enters it twice; the caller's thread is never bound.
#pragma once

#include <teff/base/fits.hpp>
#include <teff/frontends/fork_join/arena_state.hpp>
#include <teff/frontends/fork_join/arena_task.hpp>
#include <teff/frontends/fork_join/execute.hpp>
#include <teff/frontends/fork_join/group_task.hpp>
#include <teff/options.hpp>
#include <teff/spawn.hpp>
#include <teff/task_group.hpp>

#include <coroutine>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace teff {

// Where idle workers look first. Work that belongs to no arena has the normal priority.
enum class arena_priority { low, normal, high };

// The options of an arena, in addition to those of a call. If the machine does not have a given place, the arena's
// constructor throws std::invalid_argument, with a message that names the places that exist.
struct arena_options {
    // Which arenas idle workers go to first.
    arena_priority priority = arena_priority::normal;
    // Workers are bound to the CPUs of this NUMA domain while they are in the arena: 0 to topology::numa_count() - 1
    // (machine.hpp). Threads of the program that call execute() stay where they are.
    std::optional<long> numa_domain = {};
    // The same for the CPUs of one kind, where a machine has slow and fast cores: 0, the slowest, to
    // core_kinds_of_machine().count - 1. With both, the CPUs of that kind in that domain.
    std::optional<long> core_kind = {};
};

// Several threads may use an arena at once. What belongs to it can be used as long as tasks of it run.
class arena {
public:
    // threads: how many threads may work in it at once, those that call execute() included; by default as many as for
    // any other call, but no more than the arena has CPUs. The pool has one worker less for it, and at least one. The
    // other options are those of all calls in the arena. After a stop request, tasks that have not begun are dropped,
    // and execute() throws stopped. Throws std::invalid_argument, std::bad_alloc.
    explicit arena(const options& call = {}, const arena_options& more = {})
        : state_(std::make_unique<forking::arena_state>(
              call, forking::arena_place{static_cast<int>(more.priority) - static_cast<int>(arena_priority::normal),
                                         more.numa_domain, more.core_kind})) {}
    // Waits for all that was enqueued, and runs what nothing has waited for. No call may be in progress.
    ~arena() = default;
    // Takes the threads and the tasks of `other`, which may then only be destroyed or assigned to. Tasks of the arena
    // may run meanwhile, but no call of `other` may be in progress.
    arena(arena&& other) noexcept = default;
    // The same, after the end of what this arena was, as by the destructor.
    arena& operator=(arena&& other) noexcept = default;

    // How many threads may work in it at once.
    unsigned threads() const noexcept { return state_->threads(); }

    // Calls `f` in the arena, and returns what it returns or throws what it throws. The calling thread takes part as
    // one of the arena's threads. If there are as many already, `f` runs on one of them as soon as one can take it, or
    // here as soon as one leaves; the caller waits, and as a member of another arena it runs work of that one
    // meanwhile. Inside of the arena already, `f` is called at once. Tasks that `f` has made and not waited for stay in
    // the arena. Any thread. Also throws stack_exhausted, std::bad_alloc, stopped; then `f` was not called.
    template <class F>
    auto execute(F&& f) -> fits::result_of<F> {
        if constexpr (forking::can_call_through<F>()) {
            return forking::call_through(std::forward<F>(f), [this](void (*function)(void*), void* argument) {
                state_->run(function, argument);
            });
        } else {
            __builtin_unreachable();
        }
    }

    // Calls a copy of `f`, or an object moved from it, once, on a thread of the arena. Returns at once, and never calls
    // `f` itself. Tasks begin in the order in which they were enqueued; a worker that has tasks of its own runs these
    // first. Nothing takes an exception of `f`: the program ends with a message. What `f` adds to ordered reducers is
    // dropped. Any thread, also in tasks of the arena. Throws std::bad_alloc, or what copying or moving `f` throws;
    // then `f` is not called.
    template <class F>
    void enqueue(F&& f) {
        if constexpr (forking::can_be_enqueued<F>())
            forking::enqueue<forking::no_group>(state_->life(), nullptr, std::forward<F>(f));
    }
    // The same as a task of a group, of which wait() waits for it and throws its exception. The group may have tasks in
    // several arenas.
    template <class F>
    void enqueue(task_group& group, F&& f) {
        if constexpr (forking::can_be_enqueued<F>())
            forking::enqueue<task_group>(state_->life(), &group, std::forward<F>(f));
    }
    // The same with a handle, which gives the result or the exception.
    template <class F>
    [[nodiscard("the handle waits for the function when it is destroyed; keep it, or use enqueue()")]]
    auto spawn(F&& f) {
        using function = std::decay_t<F>;
        using result = std::decay_t<fits::result_of<function&>>;
        constexpr bool can_be_returned = fits::can_be_returned<result>;
        handle<result> made;
        if constexpr (!can_be_returned) {
            static_assert(can_be_returned, "teff: the function given to arena::spawn() returns a type that cannot be "
                                           "moved into its handle; let it return a std::unique_ptr");
        } else if constexpr (forking::can_be_enqueued<F>()) {
            made.made_ = std::make_unique<forking::spawned<forking::value_of<function>>>();
            forking::enqueue<forking::spawned<forking::value_of<function>>>(state_->life(), made.made_.get(),
                                                                            std::forward<F>(f));
        }
        return made;
    }
    // Returns when all tasks have ended that were enqueued or spawned before the call. A thread that is in no team
    // works in the arena meanwhile, if there is room. Must not be called in an enqueued task of the arena, which ends
    // the program with a message; otherwise any thread may call it.
    void wait() { state_->wait(); }

    // For co_await: moves a coroutine to the arena. The rest of the coroutine, up to its next suspension, is a task
    // like an enqueued one.
    [[nodiscard]] forking::arena_awaitable schedule() { return forking::arena_awaitable(state_->life()); }

private:
    std::unique_ptr<forking::arena_state> state_;  // nullptr: it was moved from
};

}  // namespace teff
