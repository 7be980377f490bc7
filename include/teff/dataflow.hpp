// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Task dataflow: a program says what each task reads and writes, and the runtime finds out which tasks may run at the
// same time. The result is that of running the tasks one after the other, in program order.
//
//   teff::object<matrix> a, b, c;
//   teff::spawn(read_from, teff::out(a), "a.txt");
//   teff::spawn(read_from, teff::out(b), "b.txt");            // may run beside the first one
//   teff::spawn(multiply, teff::in(a), teff::in(b), teff::inout(c));
//   teff::sync();
//   print(c.value());
//
// From H. Vandierendonck, G. Tzenakis, D. S. Nikolopoulos, Analysis of Dependence Tracking Algorithms for Task Dataflow
// Execution, ACM TACO, 2013, section 2.
//
//   access        the function gets   meaning
//   in            const T&            reads the value
//   out           T&                  overwrites the value without reading it
//   inout         T&                  reads and writes
//   commutative   T&                  the same; such tasks, one after the other, run in any order, one at a time
//   reduction     T&                  adds to the value by an associative and commutative operator; such tasks, one
//                                     after the other, run in any order, each on a private copy
//
// spawn() may call the function at once, on the calling thread. A function that spawns tasks, be it a task itself or
// not, has a task graph of its own; sync() waits for its tasks. A task ends with a sync(). It may pass the objects that
// it was given to its own tasks, with the same access or less. Functions that are forked, or tasks of a group, call
// sync() before they return. An object passes to another function only when no task uses it.
//
// An object that is overwritten (`out`) while tasks use its old value gets memory for the new one (renaming).
//
// If a task throws, tasks that depend on what it was to write are not called; all others are, but for later ones of the
// same row of commutative or reduction tasks. sync() rethrows one of the exceptions. The values of objects that such
// tasks were to write are unspecified.
#pragma once

#include <teff/base/fits.hpp>
#include <teff/dataflow/defer.hpp>
#include <teff/dataflow/procedure.hpp>
#include <teff/frontends/fork_join/execute.hpp>
#include <teff/frontends/fork_join/job.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace teff {

// The type of teff::no_renaming.
struct no_renaming_t {
    explicit no_renaming_t() = default;
};
// For the constructor of an object: `out` waits for earlier tasks as `inout` does, and the value never moves.
inline constexpr no_renaming_t no_renaming{};

// A value that tasks access. Renaming needs a default constructor, and inside of tasks move assignment; without them
// `out` waits as `inout` does. One thread uses an object at a time; tasks use what they are given.
template <class T>
class object : public dataflow::object_base {
public:
    // Constructs the value from the arguments. Throws what that throws.
    template <class... Arguments>
        requires std::constructible_from<T, Arguments...>
    explicit object(Arguments&&... arguments)
        : object_base(&dataflow::act_on<T>, &first_value_, true), first_value_(std::forward<Arguments>(arguments)...) {}
    // The same for an object that is never renamed.
    template <class... Arguments>
        requires std::constructible_from<T, Arguments...>
    explicit object(no_renaming_t, Arguments&&... arguments)
        : object_base(&dataflow::act_on<T>, &first_value_, false), first_value_(std::forward<Arguments>(arguments)...) {
    }
    // Moves the value of `other`, once the tasks of the calling function that use it have ended: a move waits as
    // value() does, and throws what that throws, or what moving the value throws. `other` stays an object, with the
    // value that was moved from. The new object is renamed if `other` is. Accesses name an object and not its value:
    // pass the new one to the tasks that follow.
    object(object&& other)
        : object_base(&dataflow::act_on<T>, &first_value_, other.may_rename()), first_value_(other.moved_value()) {}
    // The same for the value of an object that is there already. Whether this object is renamed stays as it is.
    object& operator=(object&& other) {
        constexpr bool can_be_assigned = std::is_move_assignable_v<T>;
        static_assert(can_be_assigned, "teff: an object<T> is assigned with its value, and this T cannot be assigned; "
                                       "keep a std::unique_ptr<teff::object<T>>");
        if constexpr (can_be_assigned)
            if (this != &other)
                value() = std::move(other.value());
        return *this;
    }
    // Waits, if tasks of the calling function use it. Ends the program with a message if tasks of another one do.
    ~object() { end(); }

    // The newest value. If tasks that the calling function has spawned still use it, waits for all of that function's
    // tasks; their exceptions are left to sync(). The reference is valid until the next task is spawned with the
    // object; inside of a task that was given the object, until the next sync(). Throws std::logic_error if tasks of
    // another function use the object, or what the operator of a reduction throws.
    T& value() { return *static_cast<T*>(newest_value()); }

private:
    // A type that can be moved nowhere instantiates this only where an object of it is moved.
    T moved_value() {
        constexpr bool can_be_moved = std::is_move_constructible_v<T>;
        static_assert(can_be_moved, "teff: an object<T> is moved with its value, and this T cannot be moved; keep the "
                                    "objects in a std::deque or a std::map, behind a std::unique_ptr, or in a "
                                    "std::vector that is constructed with their number");
        if constexpr (can_be_moved)
            return std::move(value());
        else
            __builtin_unreachable();
    }

    T first_value_;
};

namespace dataflow {

template <class T, depend::access_kind Kind, class Op = void>
struct access {
    object<T>& of;
};
template <class T, depend::access_kind Kind>
struct address_access {
    T* of;
};

// How a task's function gets an argument of spawn().
template <class Argument>
struct argument {
    static constexpr bool is_access = false;
};
template <class T, depend::access_kind Kind, class Op>
struct argument<access<T, Kind, Op>> {
    static constexpr bool is_access = true;
    using passed = std::conditional_t<Kind == depend::access_kind::in, const T&, T&>;
    static request ask(const access<T, Kind, Op>& given) noexcept {
        request made{&given.of, nullptr, Kind};
        if constexpr (!std::is_void_v<Op>)
            made.reduction = &reduce_by<T, Op>;
        return made;
    }
    static passed pass(void* value) noexcept { return *static_cast<T*>(value); }
};
template <class T, depend::access_kind Kind>
struct argument<address_access<T, Kind>> {
    static constexpr bool is_access = true;
    using passed = std::conditional_t<Kind == depend::access_kind::in, const T*, T*>;
    static request ask(const address_access<T, Kind>& given) noexcept {
        return {nullptr, const_cast<std::remove_const_t<T>*>(given.of), Kind};
    }
    static passed pass(void* value) noexcept { return static_cast<T*>(value); }
};

}  // namespace dataflow

// The function reads the value: it gets a const T&. Tasks that read the same value may run at once. Makes an argument
// for spawn(), valid while the object is.
template <class T>
[[nodiscard("an access is an argument for teff::spawn()")]]
dataflow::access<T, depend::access_kind::in> in(object<T>& accessed) noexcept {
    return {accessed};
}
// The function overwrites the value: it gets a T& whose value is unspecified. Waits for no earlier task if the object
// can be renamed.
template <class T>
[[nodiscard("an access is an argument for teff::spawn()")]]
dataflow::access<T, depend::access_kind::out> out(object<T>& accessed) noexcept {
    return {accessed};
}
// The function reads and changes the value: it gets a T&.
template <class T>
[[nodiscard("an access is an argument for teff::spawn()")]]
dataflow::access<T, depend::access_kind::inout> inout(object<T>& accessed) noexcept {
    return {accessed};
}
// The function changes the value in a way for which the order does not matter: it gets a T&. Such tasks, one after the
// other, run in any order, one at a time.
template <class T>
[[nodiscard("an access is an argument for teff::spawn()")]]
dataflow::access<T, depend::access_kind::commutative> commutative(object<T>& accessed) noexcept {
    return {accessed};
}
// Op: dataflow/value.hpp. The function must only combine into its argument, which begins as the neutral element or as a
// partial result.
template <class Op = std::plus<>, class T>
[[nodiscard("an access is an argument for teff::spawn()")]]
dataflow::access<T, depend::access_kind::concurrent, Op> reduction(object<T>& accessed) noexcept {
    return {accessed};
}

// The same for memory that is no object: tasks with the same address are ordered. The function gets the pointer. There
// is no renaming, and no check of what a task's own tasks use.
template <class T>
[[nodiscard("an access is an argument for teff::spawn()")]]
dataflow::address_access<T, depend::access_kind::in> in(T* address) noexcept {
    return {address};
}
// The function overwrites what lies at the address; it waits for earlier tasks, as with inout().
template <class T>
[[nodiscard("an access is an argument for teff::spawn()")]]
dataflow::address_access<T, depend::access_kind::out> out(T* address) noexcept {
    return {address};
}
// The function reads and changes what lies at the address.
template <class T>
[[nodiscard("an access is an argument for teff::spawn()")]]
dataflow::address_access<T, depend::access_kind::inout> inout(T* address) noexcept {
    return {address};
}
// Such tasks, one after the other, run in any order, one at a time.
template <class T>
[[nodiscard("an access is an argument for teff::spawn()")]]
dataflow::address_access<T, depend::access_kind::commutative> commutative(T* address) noexcept {
    return {address};
}

namespace dataflow {

template <class... Arguments>
inline constexpr std::size_t access_count = (std::size_t{0} + ... + (argument<Arguments>::is_access ? 1 : 0));

// Places of the accesses among all arguments: the number of accesses before each argument.
template <class... Arguments>
consteval std::array<std::size_t, sizeof...(Arguments)> access_places() {
    std::array<std::size_t, sizeof...(Arguments)> places{};
    std::size_t next = 0, at = 0;
    ((places[at++] = argument<Arguments>::is_access ? next++ : 0), ...);
    return places;
}

// What the function gets: the value of an access, or a plain argument, which becomes the function's.
template <class Argument, class Given>
decltype(auto) pass(Given&& plain, const request* access) {
    if constexpr (argument<Argument>::is_access)
        return argument<Argument>::pass(access->value);
    else
        return static_cast<Argument>(std::forward<Given>(plain));
}

// The type of what pass() gives.
template <class Argument>
struct passed : std::type_identity<Argument> {};
template <class Argument>
    requires argument<Argument>::is_access
struct passed<Argument> : std::type_identity<decltype(argument<Argument>::pass(nullptr))> {};
template <class Argument>
using passed_as = typename passed<Argument>::type;

struct nothing {};
// What a deferred task keeps of an argument besides the access.
template <class Argument>
using kept = std::conditional_t<argument<Argument>::is_access, nothing, Argument>;
template <class Argument, class Given>
kept<Argument> keep(Given&& given) {
    if constexpr (argument<Argument>::is_access)
        return {};
    else
        return std::forward<Given>(given);
}

// Writes the request of an access to the next place.
template <class Argument>
void ask(const Argument& given, request*& next) noexcept {
    if constexpr (argument<Argument>::is_access)
        *next++ = argument<Argument>::ask(given);
}

// The function of a deferred task. Arguments: without references.
template <class F, class... Arguments>
struct spawned_function {
    F function;
    std::tuple<kept<Arguments>...> plain;

    void operator()(std::span<const request> given) {
        call(given, std::index_sequence_for<Arguments...>());
    }
    template <std::size_t... Index>
    void call([[maybe_unused]] std::span<const request> given, std::index_sequence<Index...>) {
        constexpr auto places = access_places<Arguments...>();
        std::invoke(std::move(function),
                    pass<Arguments>(std::move(std::get<Index>(plain)), given.data() + places[Index])...);
    }
};

template <class F, class... Arguments, std::size_t... Index>
void call_now(std::span<const request> given, std::index_sequence<Index...>, F&& f, Arguments&&... arguments) {
    constexpr auto places = access_places<std::decay_t<Arguments>...>();
    // A copy, as a deferred task has one.
    std::decay_t<F> own(std::forward<F>(f));
    std::invoke(std::move(own),
                pass<std::decay_t<Arguments>>(std::forward<Arguments>(arguments), given.data() + places[Index])...);
}

// Takes resolved accesses back if the task is not spawned after all.
class resolved {
public:
    resolved(procedure& own_procedure, std::span<request> accesses) : here_(own_procedure), accesses_(accesses) {
        own_procedure.resolve(accesses);
    }
    ~resolved() { here_.forget(accesses_); }
    resolved(const resolved&) = delete;
    resolved& operator=(const resolved&) = delete;

private:
    procedure& here_;
    const std::span<request> accesses_;
};

// Whether a task can be made of the function and the arguments; if not, says why.
template <class F, class... Arguments>
consteval bool can_spawn() {
    constexpr bool can_be_kept =
        fits::can_be_kept<F> && (std::is_constructible_v<std::decay_t<Arguments>, Arguments> && ...);
    static_assert(can_be_kept, "teff: the function or an argument given to spawn() cannot be copied; pass "
                               "std::move(x), or a pointer");
    constexpr bool is_callable =
        !can_be_kept || std::is_invocable_v<std::decay_t<F>, passed_as<std::decay_t<Arguments>>...>;
    static_assert(is_callable, "teff: the function given to spawn() is not callable with the arguments: it gets a "
                               "const T& for in(object), a T& for out, inout, commutative and reduction, a pointer "
                               "for an access to an address, and other arguments as rvalues");
    return can_be_kept && is_callable;
}

// The public spawn(), once its arguments fit.
template <class F, class First, class... Rest>
void spawn_task(F&& f, First&& first, Rest&&... rest) {
    constexpr std::size_t count = access_count<std::decay_t<First>, std::decay_t<Rest>...>;
    procedure& own_procedure = procedure::running();
    std::array<request, count> asked;
    [[maybe_unused]] request* next = asked.data();
    ask<std::decay_t<First>>(first, next);
    (ask<std::decay_t<Rest>>(rest, next), ...);
    const auto call = [&] {
        try {
            body_scope body(own_procedure, asked);
            call_now(asked, std::index_sequence_for<First, Rest...>(), std::forward<F>(f),
                               std::forward<First>(first), std::forward<Rest>(rest)...);
            body.end();
        } catch (...) {
            own_procedure.fail_at_once(asked, std::current_exception());
        }
    };
    const bool is_plain = forking::is_plain();
    if (is_plain && (count == 0 ? !own_procedure.is_recorded() : own_procedure.starts_plainly(asked))) [[likely]]
        return call();
    const resolved accesses(own_procedure, asked);
    recorded_spawn recorded{function_of<std::decay_t<F>>(f)};
    if (own_procedure.begin(asked, is_plain, recorded)) {
        if (!own_procedure.skips_failed(asked))
            call();
        own_procedure.end_at_once(asked, recorded);
        return;
    }
    using function = spawned_function<std::decay_t<F>, std::decay_t<First>, std::decay_t<Rest>...>;
    graph& tasks = own_procedure.deferred();
    tasks.submit(defer(tasks, std::span(asked), recorded.function,
                                 function{std::forward<F>(f),
                                          {keep<std::decay_t<First>>(std::forward<First>(first)),
                                           keep<std::decay_t<Rest>>(std::forward<Rest>(rest))...}}));
}

}  // namespace dataflow

// Spawns a task: calls f(arguments...) now or later, on this thread or another one, when the tasks have ended that were
// spawned before by the same function and with whose accesses its own ones conflict. Each argument is an access (in,
// out, inout, commutative, reduction), for which the function gets the value; or any other value, of which it gets a
// copy. The accesses of a task are to distinct objects. Waits for other tasks first if too many have not ended
// (TEFF_DATAFLOW_TASKS). Throws std::invalid_argument: two accesses to one object; std::logic_error: the calling task
// was not given as much access itself; std::bad_alloc; stack_exhausted; stopped; or what copying an argument, the
// constructor of a new version's value or the operator of a reduction throws. Then no task was spawned.
template <class F, class First, class... Rest>
void spawn(F&& f, First&& first, Rest&&... rest) {
    if constexpr (dataflow::can_spawn<F, First, Rest...>())
        dataflow::spawn_task(std::forward<F>(f), std::forward<First>(first), std::forward<Rest>(rest)...);
}

// Returns when all tasks that the calling function has spawned have ended; the thread runs tasks meanwhile. Throws one
// exception of a task, once; stopped, if tasks were not called because of a stop request.
inline void sync() {
    if (dataflow::procedure* const own_procedure = dataflow::procedure::find_running())
        own_procedure->sync();
}

}  // namespace teff
