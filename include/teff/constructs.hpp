// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chapel's constructs for tasks, over fibers.
//
//   teff::sync([&] {                               the block ends when all of these have ended
//       teff::begin([&] { produce(values); });
//       teff::begin([&] { consume(values); });
//   });
//   teff::cobegin(f, g);                           the same for a fixed number of functions,
//   teff::coforall(0, n, body);                    and for each index
//   teff::serial(n < 1000, [&] { sort(n); });      no fibers inside, if the condition holds
//
// What is "inside" of a sync or serial block is decided at run time: all that the block calls, and what the fibers do
// that begin, cobegin and coforall start there, as far down as one starts another. A fiber that was made by its handle
// (teff::fiber) is outside, and so is what runs in a team of its own, by execute() or a reduction.
//
// The bodies of both blocks run on a fiber: on the calling one, or, if the caller is none, on one of their own.
//
// All functions may be called by any thread.
#pragma once

#include <teff/fiber.hpp>
#include <teff/frontends/threads/sync_block.hpp>

#include <concepts>
#include <exception>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

namespace teff {

namespace threads {

// Makes calls of which each may throw; throws the exception of the first that did, when all have been made.
class first_exception {
public:
    template <class F>
    void of(F&& call) noexcept {
        try {
            call();
        } catch (...) {
            if (first_ == nullptr)
                first_ = std::current_exception();
        }
    }
    void rethrow() {
        if (first_ != nullptr)
            std::rethrow_exception(std::move(first_));
    }

private:
    std::exception_ptr first_;
};

template <class Fibers>
void join_all(Fibers& started) {
    first_exception first;
    for (fiber& each : started)
        first.of([&] { each.join(); });
    first.rethrow();
}

// A call on a new fiber, in the sync block of the code that starts the fiber.
template <class F>
auto in_block(sync_block* block, F function) {
    return [block, function = std::move(function)] {
        if (block == nullptr) {
            function();
            return;
        }
        const scoped_surroundings inside({.block = block});
        function();
    };
}

// The function of a begun fiber. Its exception goes to the block; without a block it ends the program.
template <class F>
class begun : public takes_its_error {
public:
    template <class Given>
    begun(sync_block* block, Given&& f) : part_(block), function_(std::forward<Given>(f)) {}

    void operator()() { in_block(part_.block(), std::ref(function_))(); }
    void call_here() noexcept {
        try {
            std::invoke(function_);
        } catch (...) {
            fail(std::current_exception());
        }
    }
    void fail(std::exception_ptr error) noexcept {
        if (part_.block() == nullptr)
            std::rethrow_exception(std::move(error));
        part_.block()->fail(std::move(error));
    }

private:
    sync_block::part part_;  // first, so that the block ends after the function was destroyed
    F function_;
};

// On the calling fiber, or on a new one if the caller is none.
template <class F>
void call_on_fiber(F&& function) {
    if (fiber_state::that_can_wait() != nullptr) {
        function();
        return;
    }
    const auto call_inside = [&function, around = surroundings_here()] {
        const scoped_surroundings inside(around);
        function();
    };
    fiber(call_inside, site()).join();
}

}  // namespace threads

// Starts a fiber that calls a copy of `f`, or an object moved from it (Chapel's begin). No handle refers to it: the
// innermost sync block around waits for it, and throws its exception. Without a block the exception ends the program.
// Inside a serial block the call itself calls `f`. Throws what starting a fiber throws.
template <class F>
void begin(F&& f, site made = site::current()) {
    if constexpr (threads::can_be_fiber<F>()) {
        const threads::surroundings around = threads::surroundings_here();
        threads::begun<std::decay_t<F>> task(around.block, std::forward<F>(f));
        if (around.is_serial)
            task.call_here();
        else
            fiber(std::move(task), made).detach();
    }
}

// The same on a shepherd of the team, to which the fiber is bound (Chapel's begin on a sublocale). Also throws
// std::out_of_range. Inside a serial block the number has no effect.
template <class F>
void begin(on_shepherd where, F&& f, site made = site::current()) {
    if constexpr (threads::can_be_fiber<F>()) {
        const threads::surroundings around = threads::surroundings_here();
        threads::begun<std::decay_t<F>> task(around.block, std::forward<F>(f));
        if (around.is_serial)
            task.call_here();
        else
            fiber(where, std::move(task), made).detach();
    }
}

// Calls the body, and returns when all fibers have ended that were begun inside (Chapel's sync block). If the body or
// such a fiber throws, the exception that came first is thrown when all have ended; the others are lost.
template <class Body>
void sync(Body&& body) {
    constexpr bool is_callable = std::is_invocable_v<Body&>;
    if constexpr (!is_callable)
        static_assert(is_callable, "teff: the body given to sync() must be callable without arguments, as in "
                                   "sync([&] { begin([&] { work(); }); })");
    else
        threads::call_on_fiber([&body] {
            threads::sync_block block;
            block.run(body);
        });
}

// Each function on a fiber of its own, so that they may wait for each other; returns when all have ended (Chapel's
// cobegin). If some throw, the exception of the first one in argument order is thrown; the others are lost. Inside a
// serial block the functions are called one after the other. Throws what starting a fiber throws; then some functions
// were called, and have ended, and others were not.
template <class... F>
    requires(sizeof...(F) != 0)
void cobegin(F&&... functions) {
    constexpr bool are_callable = (std::is_invocable_v<F&> && ...);
    if constexpr (!are_callable) {
        static_assert(are_callable, "teff: each function given to cobegin() must be callable without arguments, as "
                                    "in cobegin([&] { left(); }, [&] { right(); })");
    } else {
        const threads::surroundings around = threads::surroundings_here();
        if (around.is_serial) {
            threads::first_exception first;
            (first.of(functions), ...);
            first.rethrow();
            return;
        }
        // There is no place in the call for where it is.
        fiber started[] = {fiber(threads::in_block(around.block, std::ref(functions)), site())...};
        threads::join_all(started);
    }
}

// The same for body(first), body(first + 1), ... up to body(last - 1), with a fiber for each (Chapel's coforall). The
// fibers share `body`.
template <std::integral Index, class Body>
void coforall(Index first, Index last, Body&& body, site made = site::current()) {
    constexpr bool is_callable = std::is_invocable_v<Body&, Index&>;
    if constexpr (!is_callable) {
        static_assert(is_callable, "teff: the body given to coforall(first, last, body) must be callable with an "
                                   "index, as in coforall(0, n, [&](int i) { work(i); })");
    } else {
        const threads::surroundings around = threads::surroundings_here();
        if (around.is_serial) {
            threads::first_exception thrown;
            for (Index index = first; index < last; ++index)
                thrown.of([&] { std::invoke(body, index); });
            thrown.rethrow();
            return;
        }
        std::vector<fiber> started;
        for (Index index = first; index < last; ++index)
            started.emplace_back(threads::in_block(around.block, [&body, index] { std::invoke(body, index); }), made);
        threads::join_all(started);
    }
}

// Calls the body, inside of which begin, cobegin and coforall start no fibers if `condition` holds: the functions are
// called one after the other by the code that would start them (Chapel's serial). They must not wait for each other.
template <class Body>
void serial(bool condition, Body&& body) {
    constexpr bool is_callable = std::is_invocable_v<Body&>;
    if constexpr (!is_callable) {
        static_assert(is_callable, "teff: the body given to serial() must be callable without arguments, as in "
                                   "serial(n < 1000, [&] { sort(n); })");
    } else {
        if (!condition) {
            body();
            return;
        }
        threads::call_on_fiber([&body] {
            const threads::scoped_surroundings inside({.block = threads::surroundings_here().block, .is_serial = true});
            body();
        });
    }
}
// The same as serial(true, body).
template <class Body>
void serial(Body&& body) {
    serial(true, std::forward<Body>(body));
}

}  // namespace teff
