// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fork-join: functions that may run at the same time, and whose results are there when the call returns.
//
//   long fib(int n) {
//       if (n < 2) return n;
//       auto [a, b] = teff::fork_join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
//       return a + b;
//   }
//   long sum = teff::execute({.threads = 8}, [] { return fib(40); });
//
// A fork costs a few plain loads and stores: the first function is called directly, and the second one, too, unless an
// idle worker has asked for it meanwhile. Capture by value what is small: a variable captured by reference must live in
// memory.
//
// Waiting. A call whose function runs elsewhere does not block its thread while there is work it may run: its own
// shared jobs, then others'. It runs others' only while less than half of its stack is in use; beyond that it sleeps
// until its job is done, and schedulers that run the oldest first get no more jobs. So a stack holds its own nesting
// and that of what it took in its first half. A wait cannot be for ever: what a thread took it took after what lies
// before it on its stack was begun, so the waits on all stacks lead back in time.
//
// All functions may be called from any thread, from several at once, and inside tasks of any kind.
#pragma once

#include <teff/frontends/fork_join/child.hpp>
#include <teff/frontends/fork_join/execute.hpp>
#include <teff/options.hpp>
#include <teff/version.hpp>

#include <tuple>
#include <type_traits>
#include <utility>

namespace teff {

namespace forking {

template <class F>
using passed = std::conditional_t<!std::is_reference_v<F> && std::is_trivially_copyable_v<F> &&
                                      std::is_trivially_destructible_v<F> && sizeof(F) <= 2 * sizeof(void*),
                                  F, std::remove_reference_t<F>&>;

// From the fork on, which `second` stands for.
template <class First, class F, class G>
[[gnu::always_inline]] inline std::tuple<First, value_of<G>> join(F&& call_first, child<G>& second) {
    First first = [&]() -> First {
        try {
            return call_first();
        } catch (...) {
            if (drop(second))
                second.drop_outcome();
            throw;
        }
    }();
    if (take_back(second)) [[likely]]
        return {std::move(first), call(second.function())};
    return {std::move(first), second.take_outcome()};
}

// Out of line, so that what the fast path has in registers need not survive a call that it seldom makes.
// (For the same reason a small function comes as a copy.)
template <class F, class G>
[[gnu::noinline, gnu::cold]] std::tuple<value_of<F>, value_of<G>> fork_slow(passed<F> f, child<G>& second) {
    push_slow(second);
    return join<value_of<F>>([&]() -> value_of<F> { return call_out_of_line(f); }, second);
}

}  // namespace forking

// Calls both functions, possibly at the same time, and returns their results as a tuple of values (std::monostate for
// void). Throws what the first one threw, else what the second one threw; a second one that has not begun when the
// first one throws is not called. Throws stack_exhausted, with nothing called, when the calling thread's stack is used
// up by calls inside calls.
template <class F, class G>
[[gnu::always_inline]] inline auto fork_join(F&& f, G&& g)
    -> std::tuple<forking::value_of<F>, forking::value_of<G>> {
    forking::child<G> second(std::forward<G>(g));
    if (!forking::push(second)) [[unlikely]]
        return forking::fork_slow<F, G>(f, second);
    return forking::join<forking::value_of<F>>([&]() -> forking::value_of<F> { return forking::call(f); }, second);
}

// The same for more functions; of several that throw the one that was given first wins.
template <class F, class G, class... More>
[[gnu::always_inline]] inline auto fork_join(F&& f, G&& g, More&&... more)
    -> std::tuple<forking::value_of<F>, forking::value_of<G>, forking::value_of<More>...> {
    auto [first, rest] = fork_join(std::forward<F>(f), [&] {
        return fork_join(std::forward<G>(g), std::forward<More>(more)...);
    });
    return std::tuple_cat(std::tuple(std::move(first)), std::move(rest));
}

}  // namespace teff
