// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fork-join: functions that may run at the same time. Their results are available when the call returns.
//
//   long fib(int n) {
//       if (n < 2) return n;
//       auto [a, b] = teff::fork_join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
//       return a + b;
//   }
//   long sum = teff::execute({.threads = 8}, [] { return fib(40); });
//
// A fork costs one comparison, and calls both functions directly, as long as no worker is idle and the thread already
// has some older forks queued that idle workers can take. Capture small values by copy: a variable that is captured by
// reference must live in memory.
//
// Nothing stays hidden. With the scheduler `demand`, where a processor is free, an idle worker obtains a queued second
// function within 100 us (median), whatever the thread that queued it is doing: computing, sleeping, blocked. A second
// function is queued if its fork finds fewer than four tasks queued, or an idle worker.
//
// Waiting. While another thread runs one of its functions, a call does not block its thread as long as there is work
// that the thread may run: first the thread's own shared jobs, then tasks of other members. With a scheduler that
// shares on request, it runs tasks of others only while less than half of its stack is in use (of the part that forks
// may use); beyond that it runs only its own, and then sleeps until its job is done. The other schedulers, which may
// run the oldest task first, are given no jobs beyond that point. So the depth of a stack is at most the thread's own
// nesting plus that of the tasks that it took while in the first half.
// On a fiber, a call that waits leaves the fiber: its worker goes on with other tasks, on its own stack, and the fiber
// goes on when the job is done, on any worker (frontends/threads/fiber_member.hpp).
// Waits for forks terminate: a thread waits only for jobs that it has made after it has started everything below on
// its stack, so the chain of waits across all stacks always leads to work that started later, cannot form a cycle, and
// ends at a task that runs. A fiber that waits is on no stack, so no chain leads through it. (A wait for a group may
// depend on tasks that threads with full stacks have left to threads with room. If no worker is idle, the waiting
// thread runs them itself.)
//
// All functions may be called from any thread, by several threads at once, and inside tasks of any kind.
#pragma once

#include <teff/frontends/fork_join/child.hpp>
#include <teff/frontends/fork_join/execute.hpp>
#include <teff/options.hpp>
#include <teff/version.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace teff {

namespace forking {

// How a function is passed on: a small one by copy, so that the caller's object may live in registers.
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

// Whether fork_join() can be called with these functions; if not, says why.
template <class... F>
consteval bool can_fork() {
    constexpr bool are_callable = (std::is_invocable_v<F&> && ...);
    static_assert(are_callable, "teff: each function given to fork_join() must be callable without arguments, as in "
                                "fork_join([&] { left(); }, [&] { right(); })");
    constexpr bool can_be_returned = !are_callable || (std::is_move_constructible_v<value_of<F>> && ...);
    static_assert(can_be_returned, "teff: a function given to fork_join() returns a type that cannot be moved into "
                                   "the tuple of results; let it return a std::unique_ptr, or write to a variable");
    return are_callable && can_be_returned;
}

// A fork that leaves a job. It is out of line so that plain forks need neither a stack frame for the job nor the code
// that handles a throw. (It returns a pair because small results of a pair come back in registers. A tuple comes back
// through memory, which plain forks would then have to reserve.)
template <class F, class G>
[[gnu::noinline]] std::pair<value_of<F>, value_of<G>> fork(passed<F> f, passed<G> g) {
    child<G> second(std::forward<G>(g));
    if (!link(second)) [[unlikely]]
        return call_through(
            [&] { return fork<F, G>(std::forward<F>(f), std::forward<G>(second.function())); }, &fork_on_more_stack);
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
// void). If the first function throws, its exception is rethrown, and the second function is not called if it has not
// begun; otherwise an exception of the second function is rethrown.
// Calls that nest deeper than the stack of the calling thread continue on further ones (docs/fork_join.md, Stacks).
// Also throws stack_exhausted, with nothing called, when these are used up as well, or the thread's stack is too small;
// std::bad_alloc, with nothing called, which only a thread's first fork can throw; stopped, when the enclosing call of
// execute() was asked to stop and a function is not called for that reason.
template <class F, class G>
[[gnu::always_inline]] inline auto fork_join(F&& f, G&& g)
    -> std::tuple<forking::value_of<F>, forking::value_of<G>> {
    if constexpr (forking::can_fork<F, G>()) {
        if (!forking::is_plain()) [[unlikely]]
            return forking::fork<F, G>(std::forward<F>(f), std::forward<G>(g));
        auto first = forking::call(f);
        return {std::move(first), forking::call(g)};
    } else {
        __builtin_unreachable();
    }
}

namespace forking {

// The results of one or more functions, which may be called at the same time.
template <class... F>
[[gnu::always_inline]] inline std::tuple<value_of<F>...> call_all(F&&... each);

// Three or more functions in two halves. If their number is odd, the left half has one more. A plain fork calls the
// halves directly. Rejected: a fork of the first function and of one that forks the others. In a tree whose nodes have
// ten children, the four jobs that a thread keeps queued would then belong to the last levels, and most forks would
// make a job.
template <class... F>
class halves {
public:
    using functions = std::tuple<F&&...>;
    using values = std::tuple<value_of<F>...>;

    [[gnu::always_inline]] static values call(F&&... each) {
        if (!is_plain()) [[unlikely]]
            return fork(std::forward<F>(each)...);
        functions all(std::forward<F>(each)...);
        auto left = call_part<0>(all, left_indices());
        return joined(left, call_part<left_size>(all, right_indices()));
    }

private:
    static constexpr std::size_t left_size = (sizeof...(F) + 1) / 2;
    using left_indices = std::make_index_sequence<left_size>;
    using right_indices = std::make_index_sequence<sizeof...(F) - left_size>;

    // Out of line like the fork of two functions, and for the same reason.
    [[gnu::noinline]] static values fork(passed<F>... each) {
        functions all(std::forward<F>(each)...);
        auto [left, right] = fork_join([&all] { return call_part<0>(all, left_indices()); },
                                       [&all] { return call_part<left_size>(all, right_indices()); });
        return joined(left, std::move(right));
    }

    // Calls the functions whose indices are `First` more than these.
    template <std::size_t First, std::size_t... Index>
    [[gnu::always_inline]] static auto call_part(functions& all, std::index_sequence<Index...>) {
        return call_all(std::get<First + Index>(std::move(all))...);
    }

    template <class Left, class Right>
    [[gnu::always_inline]] static values joined(Left& left, Right&& right) {
        return joined(left, right, left_indices(), right_indices());
    }
    template <class Left, class Right, std::size_t... InLeft, std::size_t... InRight>
    [[gnu::always_inline]] static values joined(Left& left, Right& right, std::index_sequence<InLeft...>,
                                                std::index_sequence<InRight...>) {
        return {std::get<InLeft>(std::move(left))..., std::get<InRight>(std::move(right))...};
    }
};

template <class... F>
[[gnu::always_inline]] inline std::tuple<value_of<F>...> call_all(F&&... each) {
    if constexpr (sizeof...(F) == 1)
        return {call(each)...};
    else if constexpr (sizeof...(F) == 2)
        return fork_join(std::forward<F>(each)...);
    else
        return halves<F...>::call(std::forward<F>(each)...);
}

}  // namespace forking

// The same for more functions. If several throw, the exception of the first one in argument order is rethrown. The
// functions are the leaves of a balanced tree of forks, so a worker that takes some takes half of those that remain.
template <class F, class G, class... More>
[[gnu::always_inline]] inline auto fork_join(F&& f, G&& g, More&&... more)
    -> std::tuple<forking::value_of<F>, forking::value_of<G>, forking::value_of<More>...> {
    if constexpr (forking::can_fork<F, G, More...>())
        return forking::call_all(std::forward<F>(f), std::forward<G>(g), std::forward<More>(more)...);
    else
        __builtin_unreachable();
}

}  // namespace teff
