// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prefix sums.
//
//   teff::parallel_inclusive_scan(in.begin(), in.end(), out.begin());
//   teff::parallel_exclusive_scan(in, out.begin(), 0L);
//   teff::parallel_scan(teff::blocked_range(0, n), identity, scan, join);     // the general form
//
// Sums are joined from left to right, so the operator must be associative but need not be commutative. Sums of
// floating-point numbers may differ in their last bits from run to run. While no other thread helps, each element is
// visited once; otherwise up to twice (algorithms/scans.hpp).
//
// All functions call the given functions through const, from several threads at once. They throw the first exception
// in time; parts that have not begun by then are not begun. If `token` requests a stop, they return early, with some of
// the output not written. They also throw stack_exhausted, stopped, and std::bad_alloc, which may also happen after
// part of the output was written. They may be called from any thread, and inside each other; teff::execute decides
// where they run (fork_join.hpp).
// Source: the oneTBB specification, section "parallel_scan"; the C++ standard, [inclusive.scan] and [exclusive.scan].
#pragma once

#include <teff/blocked_range.hpp>
#include <teff/algorithms/elements.hpp>
#include <teff/algorithms/scans.hpp>
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

// The pass for which a body is called.
template <bool is_final>
struct scan_tag {
    // Whether the body is to write its output.
    static constexpr bool is_final_scan() { return is_final; }
    // The same, so that a body may say `if (tag)`.
    constexpr operator bool() const { return is_final; }
};
// The pass that only adds up.
using pre_scan_tag = scan_tag<false>;
// The pass that also writes the output.
using final_scan_tag = scan_tag<true>;

namespace algorithm {

template <class Body, class Range>
concept scanning_body = requires(Body& body, const Range& part) {
    Body(body, split{});
    body(part, pre_scan_tag());
    body(part, final_scan_tag());
    body.reverse_join(body);
    body.assign(body);
};

// Whether values can be scanned with these functions; if not, they say why.
template <class Range, class Value, class Scan, class Join>
consteval bool can_scan() {
    constexpr bool is_callable = std::is_invocable_r_v<Value, const Scan&, const Range&, const Value&, bool>;
    static_assert(is_callable, "teff: the function given to parallel_scan(range, identity, scan, join) must be "
                               "callable through const as scan(part, sum, is_final), and return the new sum, of the "
                               "identity's type");
    constexpr bool can_join = std::is_invocable_r_v<Value, const Join&, const Value&, const Value&>;
    static_assert(can_join, "teff: the join given to parallel_scan(range, identity, scan, join) must be callable "
                            "through const as join(left, right), and return their sum, of the identity's type");
    return is_callable && can_join;
}
template <class Range, class Body>
consteval bool can_split_scan() {
    constexpr bool is_complete = scanning_body<Body, Range>;
    static_assert(is_complete, "teff: the body given to parallel_scan(range, body) must be an object with body(part, "
                               "tag) for teff::pre_scan_tag and teff::final_scan_tag, body.reverse_join(earlier), "
                               "body.assign(other) and a constructor Body(body, teff::split{}); for a function use "
                               "parallel_scan(range, identity, scan, join)");
    return is_complete;
}
template <class Value, class Operation, class Element>
consteval bool can_scan_elements() {
    constexpr bool is_callable = std::is_invocable_r_v<Value, const Operation&, Value, Element>;
    static_assert(is_callable, "teff: the operator given to parallel_inclusive_scan() or parallel_exclusive_scan() "
                               "must be callable through const with a sum and an element, and return the new sum");
    return is_callable;
}

}  // namespace algorithm

// scan(part, sum, is_final) returns `sum` with a part of the range added. If `is_final`, `sum` is the sum of everything
// in front of the part, and the call also writes its output. join(left, right) returns the sum of both. Returns the sum
// of the range. After a stop that is the sum of some prefix of the range, or unspecified.
template <class Element, class Value, class Scan, class Join>
Value parallel_scan(const blocked_range<Element>& range, const Value& identity, const Scan& scan, const Join& join,
                    std::stop_token token = {}) {
    if constexpr (algorithm::can_scan<blocked_range<Element>, Value, Scan, Join>()) {
        algorithm::body_scan<blocked_range<Element>, Value, Scan, Join> work(range, identity, scan, join);
        Value sum = identity;
        const std::size_t size = range.empty() ? 0 : range.size();
        algorithm::run_whole<algorithm::lazy_scan>(work, sum, size, range.grainsize(), std::move(token));
        return sum;
    } else {
        __builtin_unreachable();
    }
}

// The same with a partitioner (partitioner.hpp).
template <class Element, class Value, class Scan, class Join, partitioner Partitioner>
Value parallel_scan(const blocked_range<Element>& range, const Value& identity, const Scan& scan, const Join& join,
                    const Partitioner&, std::stop_token token = {}) {
    if constexpr (algorithm::can_scan<blocked_range<Element>, Value, Scan, Join>()) {
        using part = blocked_range<Element>;
        const auto scan_by = [&scan](const part& whole, Value sum, bool is_final) {
            algorithm::call_by<Partitioner>(
                whole, [&](const part& each) { sum = std::invoke(scan, each, std::as_const(sum), is_final); });
            return sum;
        };
        return parallel_scan(range, identity, scan_by, join, std::move(token));
    } else {
        __builtin_unreachable();
    }
}

// The same with a body object that holds the sum. body(part, pre_scan_tag()) adds a part to it. body(part,
// final_scan_tag()) also writes the output. Body(body, split{}) makes a body with an empty sum; it may run at the same
// time as any other function of the body. body.reverse_join(earlier) adds the sum of the part in front.
// body.assign(other) copies the sum of `other`. When the call returns, `body` holds the sum of the range.
template <class Element, class Body, partitioner Partitioner = auto_partitioner>
void parallel_scan(const blocked_range<Element>& range, Body& body, const Partitioner& = {},
                   std::stop_token token = {}) {
    if constexpr (algorithm::can_split_scan<blocked_range<Element>, Body>()) {
        algorithm::split_scan<blocked_range<Element>, Body, Partitioner, scan_tag> work(range, body);
        auto sum = work.fresh();
        sum.body->assign(body);
        const std::size_t size = range.empty() ? 0 : range.size();
        algorithm::run_whole<algorithm::lazy_scan>(work, sum, size, range.grainsize(), std::move(token));
        body.assign(*sum.body);
    }
}

// out[i] = op(...op(first[0], first[1])..., first[i]), with `init` in front if it is given. Returns the end of the
// output. The output may be the input itself, and must not overlap it otherwise.
template <std::random_access_iterator Input, std::random_access_iterator Output, class Operation = std::plus<>>
Output parallel_inclusive_scan(Input first, Input last, Output out, const Operation& op = {},
                               std::stop_token token = {}) {
    const std::size_t count = algorithm::count_between(first, last);
    if constexpr (algorithm::can_scan_elements<std::iter_value_t<Input>, Operation, std::iter_reference_t<Input>>()) {
        algorithm::element_scan<Input, Output, std::iter_value_t<Input>, Operation, true> work(first, out, op);
        std::optional<std::iter_value_t<Input>> sum;
        algorithm::run_whole<algorithm::lazy_scan>(work, sum, count, 1, std::move(token));
    }
    return algorithm::advanced(out, count);
}
// The same with `init` in front.
template <std::random_access_iterator Input, std::random_access_iterator Output, class Operation, class Value>
    requires(!std::same_as<Value, std::stop_token>)
Output parallel_inclusive_scan(Input first, Input last, Output out, const Operation& op, Value init,
                               std::stop_token token = {}) {
    const std::size_t count = algorithm::count_between(first, last);
    if constexpr (algorithm::can_scan_elements<Value, Operation, std::iter_reference_t<Input>>()) {
        algorithm::element_scan<Input, Output, Value, Operation, true> work(first, out, op);
        std::optional<Value> sum(std::move(init));
        algorithm::run_whole<algorithm::lazy_scan>(work, sum, count, 1, std::move(token));
    }
    return algorithm::advanced(out, count);
}

// out[i] = op(...op(init, first[0])..., first[i - 1]), and out[0] = init. Output and result as above.
template <std::random_access_iterator Input, std::random_access_iterator Output, class Value,
          class Operation = std::plus<>>
Output parallel_exclusive_scan(Input first, Input last, Output out, Value init, const Operation& op = {},
                               std::stop_token token = {}) {
    const std::size_t count = algorithm::count_between(first, last);
    if constexpr (algorithm::can_scan_elements<Value, Operation, std::iter_reference_t<Input>>()) {
        algorithm::element_scan<Input, Output, Value, Operation, false> work(first, out, op);
        std::optional<Value> sum(std::move(init));
        algorithm::run_whole<algorithm::lazy_scan>(work, sum, count, 1, std::move(token));
    }
    return algorithm::advanced(out, count);
}

// The same for the elements of a random-access range of known size.
template <algorithm::sized_random_access Range, std::random_access_iterator Output, class Operation = std::plus<>>
Output parallel_inclusive_scan(Range&& range, Output out, const Operation& op = {}, std::stop_token token = {}) {
    return parallel_inclusive_scan(std::ranges::begin(range), algorithm::end_of(range), out, op, std::move(token));
}
// The same with `init` in front.
template <algorithm::sized_random_access Range, std::random_access_iterator Output, class Operation, class Value>
    requires(!std::same_as<Value, std::stop_token>)
Output parallel_inclusive_scan(Range&& range, Output out, const Operation& op, Value init,
                               std::stop_token token = {}) {
    return parallel_inclusive_scan(std::ranges::begin(range), algorithm::end_of(range), out, op, std::move(init),
                                   std::move(token));
}
// The exclusive scan of a range.
template <algorithm::sized_random_access Range, std::random_access_iterator Output, class Value,
          class Operation = std::plus<>>
Output parallel_exclusive_scan(Range&& range, Output out, Value init, const Operation& op = {},
                               std::stop_token token = {}) {
    return parallel_exclusive_scan(std::ranges::begin(range), algorithm::end_of(range), out, std::move(init), op,
                                   std::move(token));
}

// Says what is wrong with any other call.
template <class Never = void>
auto parallel_scan(...) {
    static_assert(fits::never<Never>, "teff: parallel_scan() is called with a teff::blocked_range, as (range, "
                                      "identity, scan, join) or (range, body)");
    return fits::unknown();
}
// The same for element-wise scans.
template <class Never = void>
auto parallel_inclusive_scan(...) {
    static_assert(fits::never<Never>, "teff: parallel_inclusive_scan() and parallel_exclusive_scan() are called as "
                                      "(first, last, out, ...) or (container, out, ...), where all elements have "
                                      "random access and `out` is an iterator");
    return fits::unknown();
}
// The same for this name.
template <class Never = void>
auto parallel_exclusive_scan(...) {
    return parallel_inclusive_scan<Never>();
}

}  // namespace teff
