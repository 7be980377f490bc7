// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions over tasks: runs a task and all tasks that it enqueues, directly or indirectly, and adds up what they
// return (Blaze-Tasks, section 4.2). A task does not wait for the tasks that it enqueues.
//
//   struct count_down {
//       template <class Pool>
//       long operator()(Pool& pool, int n) const { if (n > 0) pool.enq(n - 1); return n; }
//   };
//   long sum = teff::execute_tasks(4, count_down{}, 10);                              // 55
//   long same = teff::reduce_tasks({.threads = 4, .scheduler = "blaze"}, count_down{}, 10);
//
// The body is called as body(pool, task), concurrently on several threads. A small trivially copyable body is copied to
// each of them; any other body is shared. Result type: its default value must be the neutral element, and += must be
// associative and commutative, since tasks finish in any order. Several threads call += at once, on different
// values. After the last task the caller adds the threads' sums; if there are many and += takes long, other threads
// help. Task type: movable.
//
// With the scheduler `demand`, where a processor is free, an idle worker obtains an enqueued task within 100 us
// (median), also while the task that enqueued it computes for long or blocks.
//
// All functions may be called from any thread, by several threads at once, and inside tasks; the calling thread works
// as well. Errors: the first exception of a task (or of moving a task, or of +=) is rethrown to the caller after the
// running tasks have finished; tasks that have not begun are dropped and destroyed. std::invalid_argument: an option
// cannot be used. std::bad_alloc: no memory to start. stack_exhausted: the stack of the calling thread is too small or
// used up, and no task was run.
#pragma once

#include <teff/base/fits.hpp>
#include <teff/frontends/reduce/start.hpp>
#include <teff/options.hpp>
#include <teff/reclaim/arena.hpp>
#include <teff/reclaim/epoch.hpp>
#include <teff/reclaim/gc.hpp>
#include <teff/reclaim/hazard.hpp>
#include <teff/version.hpp>

#include <concepts>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>

namespace teff {

namespace reducing {

// Whether tasks of type Task can be reduced with the body Fun; if not, says why.
template <class Fun, class Task, class Pool = default_pool<Task>>
consteval bool can_reduce() {
    constexpr bool is_movable = std::is_object_v<Task> && std::is_move_constructible_v<Task>;
    static_assert(is_movable, "teff: the tasks of a reduction must be of a type that can be moved");
    constexpr bool is_callable =
        !is_movable || std::is_invocable_v<Fun&, Pool&, Task&&> || std::is_invocable_v<Fun&, Pool&, Task&>;
    static_assert(is_callable, "teff: the body of a reduction must be callable as body(pool, task), where the pool "
                               "is of a type of the library's choice, as in [](auto& pool, int task) { return 1L; }");
    if constexpr (is_movable && is_callable) {
        using result = body_result<Fun, Pool, Task>;
        if constexpr (!std::is_void_v<result>) {
            constexpr bool returns_value =
                std::is_move_constructible_v<result> && std::is_default_constructible_v<result>;
            static_assert(returns_value, "teff: the body of a reduction returns a type that cannot be moved, or that "
                                         "has no default value to begin the sum with");
            constexpr bool can_be_added =
                !returns_value || requires(result& sum, result other) { sum += std::move(other); };
            static_assert(can_be_added, "teff: the body of a reduction returns a type without +=, so that its "
                                        "results cannot be added up; give the type an operator+=, or return nothing");
            return returns_value && can_be_added;
        }
    }
    return is_movable && is_callable;
}

}  // namespace reducing

// Tag: the first tasks are given as a range.
struct from_range_t {
    explicit from_range_t() = default;
};
// The argument of reduce_tasks() in front of a range.
inline constexpr from_range_t from_range{};

// Runs `body` on `first` and on all tasks that result from it; returns the sum of the results.
// Schedulers: the types that can be selected by name (schedulers.hpp).
template <class Schedulers = all_schedulers, class Fun, class Task>
[[nodiscard("the sum is lost; if only the effects of the tasks matter, let the body return nothing")]]
auto reduce_tasks(const options& call, Fun body, Task first) {
    if constexpr (reducing::can_reduce<Fun, Task>())
        return reducing::start<Schedulers, Task>(call, body, [&](auto&& enq) { enq(std::move(first)); });
    else
        return fits::unknown();
}

// The same for several first tasks: the elements of `tasks`. They are moved out if `tasks` is an rvalue container.
template <class Schedulers = all_schedulers, class Fun, class Range>
[[nodiscard("the sum is lost; if only the effects of the tasks matter, let the body return nothing")]]
auto reduce_tasks(const options& call, Fun body, from_range_t, Range&& tasks) {
    using element = decltype(*std::begin(tasks));
    using task = std::decay_t<element>;
    constexpr bool borrowed = std::is_lvalue_reference_v<Range> || std::ranges::enable_view<std::decay_t<Range>>;
    if constexpr (reducing::can_reduce<Fun, task>()) {
        return reducing::start<Schedulers, task>(call, body, [&](auto&& enq) {
            for (auto&& each : tasks) {
                if constexpr (std::is_lvalue_reference_v<element> && borrowed)
                    enq(task(each));
                else
                    enq(task(std::move(each)));
            }
        });
    } else {
        return fits::unknown();
    }
}

// For a call whose braces contain a single name that is not an option. GCC takes the braces for this array, and its
// message tells the name.
template <std::size_t Count>
    requires(Count == 1)
fits::unknown reduce_tasks(const fits::anything (&)[Count], ...);
// The same for several names: GCC reports a use of this deleted function, and the name of its result type tells the
// cause.
template <std::size_t Count>
    requires(Count > 1)
fits::braces_name_what_is_no_option reduce_tasks(const fits::anything (&)[Count], ...) = delete;
// Says what is wrong with any other call.
template <class Never = void>
auto reduce_tasks(...) {
    static_assert(fits::never<Never>, "teff: the first argument of reduce_tasks() must be teff::options, as in "
                                      "{.threads = 4}; braces may name .threads, .scheduler, .reclaimer, .tracker, "
                                      ".max_queued, .rescue, .shepherds and .stop, in this order, and nothing else");
    return fits::unknown();
}

// The paper's interface: `num_threads` threads, including the calling one (1 to 4096; a larger number is reduced to
// 4096 with a warning).
template <class Fun, class Task>
[[nodiscard("the sum is lost; if only the effects of the tasks matter, let the body return nothing")]]
auto execute_tasks(std::size_t num_threads, Fun fun, Task task) {
    // A size that does not fit in long is a converted negative number. The cast makes it negative again, and resolve()
    // rejects it.
    return reduce_tasks(options{.threads = static_cast<long>(num_threads)}, std::move(fun), std::move(task));
}

// The paper's second form, with the memory manager as a template argument.
// - epoch_reclaimer, arena_reclaimer, hazard_reclaimer, gc_reclaimer: only the name is used. It applies to schedulers
//   that free shared memory.
// - A reclaimer of your own (team_reclaimer in reclaim/reclaimer.hpp; docs/schedulers.md has an example) is compiled
//   into the call, which runs on the scheduler `blaze`, whatever the process's options say. Each call builds one and
//   destroys it. If its valid() is false after its construction, the call throws std::bad_alloc.
template <team_reclaimer Reclaimer, class Fun, class Task>
[[nodiscard("the sum is lost; if only the effects of the tasks matter, let the body return nothing")]]
auto execute_tasks(std::size_t num_threads, Fun fun, Task task) {
    options call{.threads = static_cast<long>(num_threads)};
    if constexpr (named_reclaimer<Reclaimer>) {
        constexpr std::string_view name = Reclaimer::name;
        call.reclaimer = name;
        return reduce_tasks(call, std::move(fun), std::move(task));
    } else {
        call.scheduler = blaze::traits().name;
        return reduce_tasks<scheduler_list<blaze_with<Reclaimer>>>(call, std::move(fun), std::move(task));
    }
}

}  // namespace teff
