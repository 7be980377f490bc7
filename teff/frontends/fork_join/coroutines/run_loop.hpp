// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes control from one coroutine to another without growing the stack. A loop at the bottom resumes a coroutine.
// When this coroutine awaits another one, or ends, it names the next coroutine and returns to the loop:
//
//   loop ---> parent            co_await child: names the child, and is suspended
//        ---> child             ends: names the parent
//        ---> parent
//
// This replaces symmetric transfer, which needs a tail call. GCC makes none without optimisation or under
// ThreadSanitizer, and a chain of a million tasks would use up the stack. The loop costs a return more than the tail
// call, which is an indirect call, too.
//
// Each promise points to the loop that runs its coroutine. A coroutine that names the next one passes the pointer on to
// it. The pointer is cleared while a coroutine awaits an awaitable of another kind (foreign_wait), since the coroutine
// may then be resumed anywhere. A coroutine without a loop begins one where it first needs it, on top of the call that
// has resumed it. So no thread-local storage is used, and a coroutine may wait on a fiber that changes its thread.
//
// The loop also keeps the tasks of when_all() that its thread did not hand to the team (pending_task). It runs them one
// after the other, the newest first, and hands them to the team if a worker asks for work meanwhile.
//
// Only the thread that runs a loop uses the loop and the pointers to it.
#pragma once

#include <coroutine>
#include <exception>
#include <utility>

namespace teff::coroutines {

class promise_base;
class run_loop;

// Called when a coroutine has ended and is suspended for good. A part of the object that waits for the coroutine.
struct end_hook {
    // `ended` may be destroyed in the call.
    void (*const on_end)(end_hook& self, promise_base& ended) noexcept;
};

// A task that has not begun, in the list of a loop.
struct pending_task {
    // Makes it a task of the team, if one is wanted.
    bool (*const hand_over)(pending_task& self) noexcept;
    // Starts it on this loop.
    void (*const begin)(pending_task& self, run_loop& on) noexcept;
    pending_task* next = nullptr;
};

class run_loop {
public:
    run_loop() noexcept = default;
    run_loop(const run_loop&) = delete;
    run_loop& operator=(const run_loop&) = delete;

    // The coroutine to resume next; it must be suspended. Called by coroutines that this loop runs, before they return
    // to it, and before run().
    void set_next(std::coroutine_handle<> next) noexcept { next_ = next; }
    void add(pending_task& made) noexcept { made.next = std::exchange(pending_, &made); }
    // Returns when no coroutine is next, and no task is pending.
    void run() noexcept {
        for (;;) {
            while (const std::coroutine_handle<> now = std::exchange(next_, nullptr))
                now.resume();
            if (pending_ == nullptr)
                return;
            begin_pending();
        }
    }

private:
    // Out of line: most loops have no such tasks.
    [[gnu::noinline]] void begin_pending() noexcept {
        pending_task& first = *std::exchange(pending_, pending_->next);
        while (pending_ != nullptr) {
            pending_task* const second = pending_;
            // The task may be gone as soon as the team has it.
            pending_task* const third = second->next;
            if (!second->hand_over(*second))
                break;
            pending_ = third;
        }
        first.begin(first, *this);
    }

    std::coroutine_handle<> next_;
    pending_task* pending_ = nullptr;
};

// The base of a task's promise (task.hpp).
class promise_base {
public:
    // Continues the coroutine of `to` on the loop that runs `from`, or on a new one. `from`, whose coroutine is
    // suspended, may be destroyed in the call.
    static void transfer(promise_base& from, promise_base& to) noexcept { start(from.loop_, to); }
    // The same from a coroutine of another type; `on` is the loop that runs it, or nullptr.
    static void start(run_loop* on, promise_base& to) noexcept {
        if (on != nullptr) {
            to.loop_ = on;
            on->set_next(to.self_);
            return;
        }
        run_loop own;
        run_on(own, to);
    }
    // Runs `to` on an idle loop, and returns when the loop has nothing left to run.
    // Out of line: a compiler that sees the loop's end warns of a dangling pointer.
    [[gnu::noinline]] static void run_on(run_loop& idle, promise_base& to) noexcept {
        to.loop_ = &idle;
        idle.set_next(to.self_);
        idle.run();
    }
    // As above, to a coroutine of another type.
    static void transfer(promise_base& from, std::coroutine_handle<> to) noexcept {
        if (from.loop_ != nullptr)
            from.loop_->set_next(to);
        else
            to.resume();
    }

    run_loop* loop() const noexcept { return loop_; }
    // leave_loop(): before the coroutine awaits an awaitable of another kind. return_to(): afterwards, if the coroutine
    // was not suspended.
    run_loop* leave_loop() noexcept { return std::exchange(loop_, nullptr); }
    void return_to(run_loop* loop) noexcept { loop_ = loop; }

    std::coroutine_handle<> self() const noexcept { return self_; }
    void set_hook(end_hook& at_end) noexcept { at_end_ = &at_end; }
    // Ends the task without a call of its coroutine.
    void drop(std::exception_ptr why) noexcept {
        error_ = std::move(why);
        at_end_->on_end(*at_end_, *this);
    }

    void unhandled_exception() noexcept { error_ = std::current_exception(); }
    void rethrow_error() {
        if (error_) [[unlikely]]
            std::rethrow_exception(std::exchange(error_, nullptr));
    }

    std::suspend_always initial_suspend() const noexcept { return {}; }
    struct final_wait {
        static constexpr bool await_ready() noexcept { return false; }
        template <class Promise>
        void await_suspend(std::coroutine_handle<Promise> ended) const noexcept {
            promise_base& self = ended.promise();
            self.at_end_->on_end(*self.at_end_, self);
        }
        static constexpr void await_resume() noexcept {}
    };
    final_wait final_suspend() const noexcept { return {}; }

protected:
    explicit promise_base(std::coroutine_handle<> self) noexcept : self_(self) {}
    promise_base(const promise_base&) = delete;
    promise_base& operator=(const promise_base&) = delete;
    ~promise_base() = default;

private:
    const std::coroutine_handle<> self_;
    // The loop that runs the coroutine; nullptr: it does not run, or another coroutine's resume() runs it.
    run_loop* loop_ = nullptr;
    end_hook* at_end_ = nullptr;
    std::exception_ptr error_;
};

// A task's wait for an awaitable that does not use loops.
template <class Awaiter>
class foreign_wait {
public:
    explicit foreign_wait(Awaiter&& awaited) : awaited_(std::forward<Awaiter>(awaited)) {}

    decltype(auto) await_ready() { return awaited_.await_ready(); }
    template <class Promise>
    auto await_suspend(std::coroutine_handle<Promise> waiting) {
        promise_base& self = waiting.promise();
        run_loop* const loop = self.leave_loop();
        using result = decltype(awaited_.await_suspend(waiting));
        try {
            if constexpr (std::is_same_v<result, bool>) {
                const bool is_suspended = awaited_.await_suspend(waiting);
                if (!is_suspended)
                    self.return_to(loop);
                return is_suspended;
            } else {
                // Another thread may continue the coroutine, and destroy it, before this returns.
                return awaited_.await_suspend(waiting);
            }
        } catch (...) {
            self.return_to(loop);
            throw;
        }
    }
    decltype(auto) await_resume() { return awaited_.await_resume(); }

private:
    Awaiter awaited_;
};

}  // namespace teff::coroutines
