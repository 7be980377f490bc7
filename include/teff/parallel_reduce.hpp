// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions over ranges: sums, in the general sense of an associative operator.
//
//   double sum = teff::parallel_reduce(values.begin(), values.end(), 0.0, std::plus<>());
//   double norm = teff::parallel_reduce(
//       teff::blocked_range(0, n), 0.0,
//       [=](auto part, double sum) { return sum + norm_of(x, part.begin(), part.end()); },
//       std::plus<>());
//
// Both kinds of reduction join partial sums from left to right, so the operator must be associative but need not be
// commutative. parallel_reduce divides wherever that suits the load at the moment, so sums of floating-point numbers
// may differ in their last bits from run to run. parallel_deterministic_reduce divides in a way that depends only on
// the range and its grainsize: the bits are the same for every number of threads, every scheduler, and every run.
//
// All functions call the given functions through const, from several threads at once. They throw the first exception in
// time of these functions, or of copying, moving or assigning a value; parts that have not begun by then are not begun.
// If `token` requests a stop, they return early with the sum so far: joined in order, with some parts left out. They
// also throw stack_exhausted, std::bad_alloc and stopped, like fork_join(). They may be called from any thread, and
// inside each other; teff::execute decides where they run (fork_join.hpp). The names are from the oneTBB specification,
// sections "parallel_reduce" and "parallel_deterministic_reduce"; the forms with iterators follow std::reduce.
#pragma once

#include <teff/blocked_range.hpp>
#include <teff/algorithms/elements.hpp>
#include <teff/algorithms/fixed_tree.hpp>
#include <teff/algorithms/reductions.hpp>
#include <teff/base/fits.hpp>
#include <teff/partitioner.hpp>
#include <teff/version.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <ranges>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace teff {

namespace algorithm {

template <class Body, class Range, class Value>
concept reduction_body = std::is_invocable_r_v<Value, const Body&, const Range&, Value&&>;
template <class Operation, class Value>
concept reduction_operation = std::is_invocable_r_v<Value, const Operation&, Value&&, Value&&>;

// A range of elements. A range that is split itself is not one. The range has this constraint because constraints of
// the operation are checked later: such a check compiles the body of a generic lambda, which may fit parts of the range
// alone.
template <class Range>
concept range_of_elements = sized_random_access<Range> && !splittable_range<std::remove_cvref_t<Range>>;

template <class Body, class Range>
concept splittable_body = requires(Body& body, const Range& part) {
    Body(body, split{});
    body(part);
    body.join(body);
};

// Whether values can be reduced by these functions; if not, they say why.
template <class Value, class Operation>
consteval bool can_combine() {
    constexpr bool is_movable = std::is_move_constructible_v<Value>;
    static_assert(is_movable, "teff: the value of parallel_reduce() must be of a type that can be moved");
    constexpr bool is_callable = reduction_operation<Operation, Value>;
    static_assert(is_callable, "teff: the operator given to parallel_reduce() must be callable through const with "
                               "two rvalues of the type of the initial value, and its result convertible to that "
                               "type, as in parallel_reduce(values, 0L, std::plus<>())");
    return is_movable && is_callable;
}
template <class Range, class Value, class Body, class Join>
consteval bool can_reduce_parts() {
    constexpr bool is_copyable = std::is_copy_constructible_v<Value>;
    static_assert(is_copyable, "teff: the identity given to parallel_reduce(range, identity, body, join) must be of "
                               "a type that can be copied and moved");
    constexpr bool is_callable = reduction_body<Body, Range, Value>;
    static_assert(is_callable, "teff: the body given to parallel_reduce(range, identity, body, join) must be "
                               "callable through const as body(part, sum), and return the new sum, of the identity's "
                               "type");
    constexpr bool can_join = reduction_operation<Join, Value>;
    static_assert(can_join, "teff: the join given to parallel_reduce(range, identity, body, join) must be callable "
                            "through const as join(left, right), and return their sum, of the identity's type");
    return is_copyable && is_callable && can_join;
}
template <class Range, class Body>
consteval bool can_split_body() {
    constexpr bool is_complete = splittable_body<Body, Range>;
    static_assert(is_complete, "teff: the body given to parallel_reduce(range, body) must be an object with "
                               "body(part), body.join(later) and a constructor Body(body, teff::split{}); for a "
                               "function use parallel_reduce(range, identity, body, join)");
    return is_complete;
}

template <partitioner Partitioner, class Range, class Value, class Body>
auto body_by(const Body& body) {
    return [&body](const Range& part, Value&& sum) {
        call_by<Partitioner>(part, [&](const Range& piece) { sum = std::invoke(body, piece, std::move(sum)); });
        return std::move(sum);
    };
}

}  // namespace algorithm

// body(part, sum) returns `sum` with a part of the range added. join(left, right) returns the sum of both. `identity`
// is the initial value of each partial sum.
template <splittable_range Range, class Value, class Body, class Join>
[[nodiscard("the sum is all that the call is for")]]
Value parallel_reduce(const Range& range, const Value& identity, const Body& body, const Join& join,
                      std::stop_token token = {}) {
    if constexpr (algorithm::can_reduce_parts<Range, Value, Body, Join>()) {
        algorithm::body_sum<Range, Value, Body, Join> work(range, identity, body, join);
        Value sum = identity;
        algorithm::run_lazily(work, sum, range, std::move(token));
        return sum;
    } else {
        __builtin_unreachable();
    }
}
// The same, divided in a way that depends only on the range and its grainsize.
template <splittable_range Range, class Value, class Body, class Join>
[[nodiscard("the sum is all that the call is for")]]
Value parallel_deterministic_reduce(const Range& range, const Value& identity, const Body& body, const Join& join,
                                    std::stop_token token = {}) {
    if constexpr (algorithm::can_reduce_parts<Range, Value, Body, Join>()) {
        algorithm::body_sum<Range, Value, Body, Join> work(range, identity, body, join);
        Value sum = identity;
        algorithm::run_fixed_tree(work, sum, range, std::move(token));
        return sum;
    } else {
        __builtin_unreachable();
    }
}
// The same with a partitioner (partitioner.hpp).
template <splittable_range Range, class Value, class Body, class Join, partitioner Partitioner>
[[nodiscard("the sum is all that the call is for")]]
Value parallel_reduce(const Range& range, const Value& identity, const Body& body, const Join& join, const Partitioner&,
                      std::stop_token token = {}) {
    if constexpr (algorithm::can_reduce_parts<Range, Value, Body, Join>()) {
        const auto by = algorithm::body_by<Partitioner, Range, Value>(body);
        return parallel_reduce(range, identity, by, join, std::move(token));
    } else {
        __builtin_unreachable();
    }
}
// The deterministic form with a partitioner (partitioner.hpp).
template <splittable_range Range, class Value, class Body, class Join, partitioner Partitioner>
[[nodiscard("the sum is all that the call is for")]]
Value parallel_deterministic_reduce(const Range& range, const Value& identity, const Body& body, const Join& join,
                                    const Partitioner&, std::stop_token token = {}) {
    if constexpr (algorithm::can_reduce_parts<Range, Value, Body, Join>()) {
        const auto by = algorithm::body_by<Partitioner, Range, Value>(body);
        return parallel_deterministic_reduce(range, identity, by, join, std::move(token));
    } else {
        __builtin_unreachable();
    }
}

// The same with a body object that holds the sum. body(part) adds a part to it. The constructor Body(body, split{})
// makes a body for a later part; it may run at the same time as any other function of the body. body.join(later) adds
// the sum of `later` to that of `body`.
template <splittable_range Range, class Body, partitioner Partitioner = auto_partitioner>
void parallel_reduce(const Range& range, Body& body, const Partitioner& = {}, std::stop_token token = {}) {
    if constexpr (algorithm::can_split_body<Range, Body>()) {
        algorithm::split_body<Range, Body, Partitioner> work(range, body);
        algorithm::run_lazily(work, body, range, std::move(token));
    }
}
// The same, divided in a way that depends only on the range and its grainsize.
template <splittable_range Range, class Body, partitioner Partitioner = auto_partitioner>
void parallel_deterministic_reduce(const Range& range, Body& body, const Partitioner& = {},
                                   std::stop_token token = {}) {
    if constexpr (algorithm::can_split_body<Range, Body>()) {
        algorithm::split_body<Range, Body, Partitioner> work(range, body);
        algorithm::run_fixed_tree(work, body, range, std::move(token));
    }
}

// op(...op(op(init, a), b)..., z) for the elements a to z of [first, last). The grouping differs, but an associative
// operator gives the same result. Each element must be convertible to Value.
template <std::random_access_iterator Iterator, class Value, class Operation>
[[nodiscard("the sum is all that the call is for")]]
Value parallel_reduce(Iterator first, Iterator last, Value init, const Operation& op, std::stop_token token = {}) {
    if constexpr (algorithm::can_combine<Value, Operation>()) {
        algorithm::element_sum<Iterator, Value, Operation> work(first, op);
        std::optional<Value> sum(std::move(init));
        algorithm::run_lazily(work, sum, blocked_range<Iterator>(first, last), std::move(token));
        return *std::move(sum);
    } else {
        __builtin_unreachable();
    }
}
// The same, divided in a way that depends only on the number of elements.
template <std::random_access_iterator Iterator, class Value, class Operation>
[[nodiscard("the sum is all that the call is for")]]
Value parallel_deterministic_reduce(Iterator first, Iterator last, Value init, const Operation& op,
                                    std::stop_token token = {}) {
    if constexpr (algorithm::can_combine<Value, Operation>()) {
        algorithm::element_sum<Iterator, Value, Operation> work(first, op);
        std::optional<Value> sum;
        algorithm::run_fixed_tree(work, sum, blocked_range<Iterator>(first, last), std::move(token));
        return sum ? Value(std::invoke(op, std::move(init), *std::move(sum))) : std::move(init);
    } else {
        __builtin_unreachable();
    }
}

// The same for the elements of a random-access range of known size, such as a container, a span or a view.
template <algorithm::range_of_elements Range, class Value, class Operation>
[[nodiscard("the sum is all that the call is for")]]
Value parallel_reduce(Range&& range, Value init, const Operation& op, std::stop_token token = {}) {
    return parallel_reduce(std::ranges::begin(range), algorithm::end_of(range), std::move(init), op, std::move(token));
}
// The same, divided in a way that depends only on the number of elements.
template <algorithm::range_of_elements Range, class Value, class Operation>
[[nodiscard("the sum is all that the call is for")]]
Value parallel_deterministic_reduce(Range&& range, Value init, const Operation& op, std::stop_token token = {}) {
    return parallel_deterministic_reduce(std::ranges::begin(range), algorithm::end_of(range), std::move(init), op,
                                         std::move(token));
}

// Says what is wrong with any other call.
template <class Never = void>
auto parallel_reduce(...) {
    static_assert(fits::never<Never>, "teff: parallel_reduce() is called as (first, last, init, op) or (container, "
                                      "init, op) for elements with random access, or with a teff::blocked_range as "
                                      "(range, identity, body, join) or (range, body)");
    return fits::unknown();
}
// The same for this name.
template <class Never = void>
auto parallel_deterministic_reduce(...) {
    return parallel_reduce<Never>();
}

}  // namespace teff
