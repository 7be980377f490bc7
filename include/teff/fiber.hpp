// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The handle of a fiber, and what code does to the fiber that it runs on. See threads.hpp, which has this and all that
// fibers can wait for.
#pragma once

#include <teff/frontends/fork_join/views.hpp>
#include <teff/base/clock.hpp>
#include <teff/base/fits.hpp>
#include <teff/frontends/threads/binding.hpp>
#include <teff/frontends/threads/fiber_state.hpp>
#include <teff/frontends/threads/timer.hpp>

#include <chrono>
#include <concepts>
#include <exception>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace teff {

namespace threads {

// A fiber with the views of ordered reducers that its function has left (fork_join/views.hpp).
class started_fiber : public fiber_state {
public:
    using fiber_state::fiber_state;

    forking::view* take_views() noexcept { return std::exchange(views_, nullptr); }

protected:
    ~started_fiber() {
        forking::drop_views(views_);
        // A detached fiber is destroyed on itself. It can be left up to here, and the function's destructor may have
        // spawned tasks.
        if (running_strand().fiber == this)
            forking::drop_what_strand_has();
    }

    // For the time of the call: the fiber's views are its own.
    class scoped_views {
    public:
        explicit scoped_views(started_fiber& self) noexcept : self_(self) {}
        ~scoped_views() { self_.views_ = own_.take(); }
        scoped_views(const scoped_views&) = delete;
        scoped_views& operator=(const scoped_views&) = delete;

    private:
        started_fiber& self_;
        forking::own_views own_;
    };

private:
    forking::view* views_ = nullptr;
};

// Their destructors may use ordered reducers and spawn tasks, as the function may.
struct ends_locals {
    local_values& of;
    ~ends_locals() { of.destroy_all(); }
};

// Whether a fiber can call F, or an object made of it; if not, says why.
template <class F>
consteval bool can_be_fiber() {
    constexpr bool is_callable = fits::can_be_called_later<F>;
    static_assert(is_callable, "teff: the function of a fiber must be callable without arguments, as in teff::fiber "
                               "worker([&] { work(); })");
    constexpr bool can_be_kept = !is_callable || fits::can_be_kept<F>;
    static_assert(can_be_kept, "teff: the function of a fiber cannot be copied; pass std::move(f), or std::ref(f) to "
                               "call it in place");
    return is_callable && can_be_kept;
}

// A function that is told by fail() of its exception when it was called on a detached fiber.
struct takes_its_error {};

template <class F>
class fiber_of final : public started_fiber {
public:
    template <class Given>
    fiber_of(Given&& f, const site& made) : started_fiber(does, made), function_(std::forward<Given>(f)) {}

private:
    static void call(fiber_state& self, local_values& locals) {
        auto& mine = static_cast<fiber_of&>(self);
        const scoped_views own(mine);
        const ends_locals at_end{locals};
        std::invoke(mine.function_);
    }
    static void destroy(fiber_state& self) noexcept { delete static_cast<fiber_of*>(&self); }
    static void fail(fiber_state& self, std::exception_ptr error) noexcept {
        if constexpr (std::derived_from<F, takes_its_error>)
            static_cast<fiber_of&>(self).function_.fail(std::move(error));
        else
            std::rethrow_exception(std::move(error));  // ends the program
    }
    static constexpr actions does{&call, &destroy, &fail};

    F function_;
};

}  // namespace threads

// The handle of a fiber, as std::jthread is that of a thread. One thread at a time may use a handle.
class fiber {
public:
    // Refers to no fiber.
    fiber() noexcept = default;
    // Starts a fiber that calls a copy of `f`, or an object moved from it. Throws what copying or moving `f` throws,
    // std::bad_alloc, stack_exhausted if the calling thread's stack is used up, or thread_exits if the thread is
    // exiting; then `f` is not called. If there is no memory for the fiber's stack, join() throws std::bad_alloc. made:
    // for messages.
    template <class F>
        requires(!std::same_as<std::remove_cvref_t<F>, fiber>)
    [[nodiscard("the handle waits for the fiber when it is destroyed; keep it, or detach the fiber")]]
    explicit fiber(F&& f, site made = site::current()) {
        if constexpr (threads::can_be_fiber<F>()) {
            auto created = std::make_unique<threads::fiber_of<std::decay_t<F>>>(std::forward<F>(f), made);
            created->start();
            state_ = created.release();
        }
    }
    // The same for a fiber that is bound to a shepherd of the calling thread's team. Also throws std::out_of_range.
    template <class F>
    [[nodiscard("the handle waits for the fiber when it is destroyed; keep it, or detach the fiber")]]
    fiber(on_shepherd where, F&& f, site made = site::current()) {
        if constexpr (threads::can_be_fiber<F>()) {
            auto created = std::make_unique<threads::fiber_of<std::decay_t<F>>>(std::forward<F>(f), made);
            created->start_on(where.number);
            state_ = created.release();
        }
    }
    // Takes the fiber of `other`, which then refers to none.
    fiber(fiber&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
    // Waits for the fiber that this handle refers to, as the destructor does.
    fiber& operator=(fiber&& other) noexcept {
        fiber taken(std::move(other));
        std::swap(state_, taken.state_);
        return *this;
    }
    // Waits for the fiber. An exception that join() has not thrown is lost.
    ~fiber() {
        if (joinable())
            release();
    }

    // Whether the handle refers to a fiber.
    [[nodiscard]] bool joinable() const noexcept { return state_ != nullptr; }
    // Returns when the function has ended, or throws its exception. The handle then refers to no fiber. Must not be
    // called on the fiber itself, nor without a fiber.
    void join() {
        const auto ended = release();
        forking::append_views(ended->take_views());
        if (std::exception_ptr error = ended->take_error())
            std::rethrow_exception(std::move(error));
    }
    // From here on the handle refers to no fiber. If the function throws, the program ends (std::terminate). The
    // function is destroyed on the fiber, or here if it has ended.
    void detach() noexcept { std::exchange(state_, nullptr)->detach(); }

private:
    struct freeing {
        void operator()(threads::started_fiber* ended) const noexcept { ended->free(); }
    };
    // Waits, and makes the fiber's memory the caller's.
    std::unique_ptr<threads::started_fiber, freeing> release() noexcept {
        state_->join();
        return std::unique_ptr<threads::started_fiber, freeing>(std::exchange(state_, nullptr));
    }

    threads::started_fiber* state_ = nullptr;
};

// Acts on the calling fiber.
namespace this_fiber {

// Lets the other tasks of the team that are ready run before the fiber goes on. A thread that is no fiber runs one
// task, or yields its processor. Any thread.
inline void yield() noexcept { threads::yield(); }

// Gives the fiber a name for messages: a literal, or another text that lives as long as the program. Has no effect on
// a thread that is no fiber.
inline void set_name(const char* name) noexcept { threads::set_name(name); }

// Returns when the time has passed, or when the clock shows the moment. A fiber that sleeps keeps no worker; any other
// member of a team runs tasks meanwhile. Any thread.
template <class Rep, class Period>
void sleep_for(const std::chrono::duration<Rep, Period>& time) noexcept {
    using std::chrono::nanoseconds;
    // 146 years, which can be added to any time that the clock will show.
    constexpr nanoseconds most(std::int64_t{1} << 62);
    if (time <= time.zero())
        return;
    const bool is_in_range = std::chrono::duration<double, std::nano>(time) < most;
    const nanoseconds limited = is_in_range ? std::chrono::ceil<nanoseconds>(time) : most;
    threads::sleep_until(monotonic_ns() + limited.count());
}
// Sleeps until the clock shows the moment, also if the clock is set meanwhile. Any thread.
template <class Clock, class Duration>
void sleep_until(const std::chrono::time_point<Clock, Duration>& moment) {
    // Again, if the clock was set meanwhile.
    for (auto now = Clock::now(); now < moment; now = Clock::now())
        sleep_for(moment - now);
}

}  // namespace this_fiber

}  // namespace teff
