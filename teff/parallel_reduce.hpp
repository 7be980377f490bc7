// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of all kinds over ranges.
//
//   double sum = teff::parallel_reduce(values.begin(), values.end(), 0.0, std::plus<>());
//   double norm = teff::parallel_reduce(
//       teff::blocked_range(0, n), 0.0,
//       [=](auto part, double sum) { return sum + norm_of(x, part.begin(), part.end()); },
//       std::plus<>());
//
// Both kinds join from left to right, so the operator must be associative and may be one that does not commute.
// parallel_reduce divides where it happens to be good at the moment: sums of floating-point numbers may differ in their
// last bits from run to run. parallel_deterministic_reduce divides in a way that depends on the range (and its
// grainsize) alone: the bits are the same for every number of threads, every scheduler, and every run.
//
// All functions: the functions given are called through const, by several threads at once. What is thrown first in
// time, by these, or by copying, moving or assigning a value, reaches the caller; parts that have not begun by then are
// not begun. If `token` asks to stop, they return early what has been summed up until then, in order, with parts left
// out. Besides that they throw stack_exhausted, std::bad_alloc and stopped, as fork_join() does. They may be called
// from any thread, and inside each other; where they run says teff::execute (fork_join.hpp). The names are those of the
// oneTBB specification, sections "parallel_reduce" and "parallel_deterministic_reduce", and the forms with iterators
// are those of std::reduce.
#pragma once

#include <teff/blocked_range.hpp>
#include <teff/algorithms/elements.hpp>
#include <teff/algorithms/fixed_tree.hpp>
#include <teff/algorithms/reductions.hpp>
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

template <class Body, class Range>
concept splittable_body = requires(Body& body, const Range& part) {
    Body(body, split{});
    body(part);
    body.join(body);
};

template <partitioner Partitioner, class Range, class Value, class Body>
auto body_by(const Body& body) {
    return [&body](const Range& part, Value&& sum) {
        call_by<Partitioner>(part, [&](const Range& piece) { sum = std::invoke(body, piece, std::move(sum)); });
        return std::move(sum);
    };
}

}  // namespace algorithm

// body(part, sum) returns the sum with a part of the range added; join(left, right) the sum of two. `identity` is what
// each sum begins with.
template <splittable_range Range, class Value, algorithm::reduction_body<Range, Value> Body,
          algorithm::reduction_operation<Value> Join>
Value parallel_reduce(const Range& range, const Value& identity, const Body& body, const Join& join,
                      std::stop_token token = {}) {
    algorithm::body_sum<Range, Value, Body, Join> work(range, identity, body, join);
    Value sum = identity;
    algorithm::run_lazily(work, sum, range, std::move(token));
    return sum;
}
template <splittable_range Range, class Value, algorithm::reduction_body<Range, Value> Body,
          algorithm::reduction_operation<Value> Join>
Value parallel_deterministic_reduce(const Range& range, const Value& identity, const Body& body, const Join& join,
                                    std::stop_token token = {}) {
    algorithm::body_sum<Range, Value, Body, Join> work(range, identity, body, join);
    Value sum = identity;
    algorithm::run_fixed_tree(work, sum, range, std::move(token));
    return sum;
}
template <splittable_range Range, class Value, algorithm::reduction_body<Range, Value> Body,
          algorithm::reduction_operation<Value> Join, partitioner Partitioner>
Value parallel_reduce(const Range& range, const Value& identity, const Body& body, const Join& join, const Partitioner&,
                      std::stop_token token = {}) {
    const auto by = algorithm::body_by<Partitioner, Range, Value>(body);
    return parallel_reduce(range, identity, by, join, std::move(token));
}
template <splittable_range Range, class Value, algorithm::reduction_body<Range, Value> Body,
          algorithm::reduction_operation<Value> Join, partitioner Partitioner>
Value parallel_deterministic_reduce(const Range& range, const Value& identity, const Body& body, const Join& join,
                                    const Partitioner&, std::stop_token token = {}) {
    const auto by = algorithm::body_by<Partitioner, Range, Value>(body);
    return parallel_deterministic_reduce(range, identity, by, join, std::move(token));
}

// The same with a body that holds the sum: body(part) adds a part to it, the constructor Body(body, split{}), which may
// run at the same time as any of them, makes one for a later part, and body.join(later) adds up the two.
template <splittable_range Range, algorithm::splittable_body<Range> Body, partitioner Partitioner = auto_partitioner>
void parallel_reduce(const Range& range, Body& body, const Partitioner& = {}, std::stop_token token = {}) {
    algorithm::split_body<Range, Body, Partitioner> work(range, body);
    algorithm::run_lazily(work, body, range, std::move(token));
}
template <splittable_range Range, algorithm::splittable_body<Range> Body, partitioner Partitioner = auto_partitioner>
void parallel_deterministic_reduce(const Range& range, Body& body, const Partitioner& = {},
                                   std::stop_token token = {}) {
    algorithm::split_body<Range, Body, Partitioner> work(range, body);
    algorithm::run_fixed_tree(work, body, range, std::move(token));
}

// op(...op(op(init, a), b)..., z) for the elements a to z of [first, last), in an order that an associative operator
// does not show. Each element must be convertible to Value.
template <std::random_access_iterator Iterator, class Value, algorithm::reduction_operation<Value> Operation>
Value parallel_reduce(Iterator first, Iterator last, Value init, const Operation& op, std::stop_token token = {}) {
    algorithm::element_sum<Iterator, Value, Operation> work(first, op);
    std::optional<Value> sum(std::move(init));
    algorithm::run_lazily(work, sum, blocked_range<Iterator>(first, last), std::move(token));
    return *std::move(sum);
}
template <std::random_access_iterator Iterator, class Value, algorithm::reduction_operation<Value> Operation>
Value parallel_deterministic_reduce(Iterator first, Iterator last, Value init, const Operation& op,
                                    std::stop_token token = {}) {
    algorithm::element_sum<Iterator, Value, Operation> work(first, op);
    std::optional<Value> sum;
    algorithm::run_fixed_tree(work, sum, blocked_range<Iterator>(first, last), std::move(token));
    return sum ? Value(std::invoke(op, std::move(init), *std::move(sum))) : std::move(init);
}

// The same for the elements of a random-access range of known size, such as a container, a span or a view.
template <algorithm::sized_random_access Range, class Value, algorithm::reduction_operation<Value> Operation>
    requires(!splittable_range<std::remove_cvref_t<Range>>)
Value parallel_reduce(Range&& range, Value init, const Operation& op, std::stop_token token = {}) {
    return parallel_reduce(std::ranges::begin(range), algorithm::end_of(range), std::move(init), op, std::move(token));
}
template <algorithm::sized_random_access Range, class Value, algorithm::reduction_operation<Value> Operation>
    requires(!splittable_range<std::remove_cvref_t<Range>>)
Value parallel_deterministic_reduce(Range&& range, Value init, const Operation& op, std::stop_token token = {}) {
    return parallel_deterministic_reduce(std::ranges::begin(range), algorithm::end_of(range), std::move(init), op,
                                         std::move(token));
}

}  // namespace teff
