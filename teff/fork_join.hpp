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
// A fork costs a comparison, as long as nobody is idle and the thread has some older forks at hand that it could give
// away: both functions are called directly. Capture by value what is small: a variable captured by reference must live
// in memory.
//
// Waiting. A call whose function runs elsewhere does not block its thread while there is work it may run: its own
// shared jobs, then others'. It runs others' only while less than half of its stack is in use; beyond that it sleeps
// until its job is done, and schedulers that run the oldest first get no more jobs. So a stack holds its own nesting
// and that of what it took in its first half. A wait for a fork cannot be for ever: what a thread took it took after
// what lies before it on its stack was begun, so the waits on all stacks lead back in time. (A wait for a group may be
// for tasks that others have left to whoever has room; it takes them if nobody is idle.)
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

// How a function is handed on: a small one as a copy, so that the caller's may live in registers.
template <class F>
struct passing {
    static constexpr bool is_small = std::is_trivially_copyable_v<F> && sizeof(F) <= 2 * sizeof(void*);
    using type = std::conditional_t<is_small, F, F&&>;
};
template <class F>
struct passing<F&> {
    using type = F&;
};
template <class F>
using passed = typename passing<F>::type;

// A fork that leaves a job. Out of line, so that plain ones need neither a frame for it nor what follows a throw. (In a
// pair small results come back in registers; in a tuple they come through memory, which plain forks would set aside.)
template <class F, class G>
[[gnu::noinline]] std::pair<value_of<F>, value_of<G>> fork(passed<F> f, passed<G> g) {
    child<G> second(std::forward<G>(g));
    link(second);
    auto first = [&]() -> value_of<F> {
        try {
            return call(f);
        } catch (...) {
            if (drop(second))
                second.drop_outcome();
            throw;
        }
    }();
    if (take_back(second))
        return {std::move(first), call(second.function())};
    return {std::move(first), second.take_outcome()};
}

}  // namespace forking

// Calls both functions, possibly at the same time, and returns their results as a tuple of values (std::monostate for
// void). Throws what the first one threw, else what the second one threw; a second one that has not begun when the
// first one throws is not called. Throws stack_exhausted, with nothing called, when the calling thread's stack is used
// up by calls inside calls; std::bad_alloc, with nothing called, at a thread's first fork; stopped, when the call of
// execute() around it has been asked to stop and a function is not called for that.
template <class F, class G>
[[gnu::always_inline]] inline auto fork_join(F&& f, G&& g)
    -> std::tuple<forking::value_of<F>, forking::value_of<G>> {
    if (!forking::is_plain()) [[unlikely]]
        return forking::fork<F, G>(std::forward<F>(f), std::forward<G>(g));
    auto first = forking::call(f);
    return {std::move(first), forking::call(g)};
}

// The same for more functions; of several that throw the one that was given first wins.
template <class F, class G, class... More>
[[gnu::always_inline]] inline auto fork_join(F&& f, G&& g, More&&... more)
    -> std::tuple<forking::value_of<F>, forking::value_of<G>, forking::value_of<More>...> {
    auto [first, rest] = fork_join(std::forward<F>(f), [&] {
        return fork_join(std::forward<G>(g), std::forward<More>(more)...);
    });
    return std::tuple_cat(std::tuple<forking::value_of<F>>(std::move(first)), std::move(rest));
}

}  // namespace teff
