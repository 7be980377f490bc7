// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prefix sums.
//
//   teff::parallel_inclusive_scan(in.begin(), in.end(), out.begin());
//   teff::parallel_exclusive_scan(in.begin(), in.end(), out.begin(), 0L);
//   teff::parallel_scan(teff::blocked_range(0, n), identity, scan, join);     // the general form
//
// Sums are joined from left to right, so the operator must be associative and may be one that does not commute. Sums of
// floating-point numbers may differ in their last bits from run to run. While nobody helps each element is visited
// once, else up to twice (frontends/algorithms/scans.hpp).
//
// All functions: the functions given are called through const, by several threads at once. What is thrown first in time
// reaches the caller; parts that have not begun by then are not begun. If `token` asks to stop, they return early, with
// some of the output not written. Besides that they throw stack_exhausted, and std::bad_alloc, also in the middle. They
// may be called from any thread, and inside each other; where they run says teff::execute (fork_join.hpp).
// Source: the oneTBB specification, section "parallel_scan"; the C++ standard, [inclusive.scan] and [exclusive.scan].
#pragma once

#include <teff/blocked_range.hpp>
#include <teff/frontends/algorithms/elements.hpp>
#include <teff/frontends/algorithms/scans.hpp>
#include <teff/version.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace teff {

// scan(part, sum, is_final) returns the sum with a part of the range added; `sum` is that of all in front of the part
// if `is_final`, and then it also writes what it is for. join(left, right) returns the sum of two. Returns the sum of
// the range, which, after a stop, is that of some beginning of it or unspecified.
template <class Element, class Value,
          std::invocable<const blocked_range<Element>&, const Value&, bool> Scan,
          std::invocable<const Value&, const Value&> Join>
Value parallel_scan(const blocked_range<Element>& range, const Value& identity, const Scan& scan, const Join& join,
                    std::stop_token token = {}) {
    algorithm::body_scan<blocked_range<Element>, Value, Scan, Join> work(range, identity, scan, join);
    Value sum = identity;
    const std::size_t size = range.empty() ? 0 : range.size();
    algorithm::run_whole<algorithm::lazy_scan>(work, sum, size, range.grainsize(), std::move(token));
    return sum;
}

// out[i] = op(...op(first[0], first[1])..., first[i]), with `init` in front if there is one. Returns the end of the
// output, which may be the input, and may not overlap it otherwise.
template <std::random_access_iterator Input, std::random_access_iterator Output, class Operation = std::plus<>>
    requires std::invocable<const Operation&, std::iter_value_t<Input>, std::iter_reference_t<Input>>
Output parallel_inclusive_scan(Input first, Input last, Output out, const Operation& op = {},
                               std::stop_token token = {}) {
    const std::size_t count = algorithm::count_between(first, last);
    algorithm::element_scan<Input, Output, std::iter_value_t<Input>, Operation, true> work(first, out, op);
    std::optional<std::iter_value_t<Input>> sum;
    algorithm::run_whole<algorithm::lazy_scan>(work, sum, count, 1, std::move(token));
    return algorithm::advanced(out, count);
}
template <std::random_access_iterator Input, std::random_access_iterator Output, class Operation, class Value>
    requires std::invocable<const Operation&, Value, std::iter_reference_t<Input>>
Output parallel_inclusive_scan(Input first, Input last, Output out, const Operation& op, Value init,
                               std::stop_token token = {}) {
    const std::size_t count = algorithm::count_between(first, last);
    algorithm::element_scan<Input, Output, Value, Operation, true> work(first, out, op);
    std::optional<Value> sum(std::move(init));
    algorithm::run_whole<algorithm::lazy_scan>(work, sum, count, 1, std::move(token));
    return algorithm::advanced(out, count);
}

// out[i] = op(...op(init, first[0])..., first[i - 1]), and out[0] = init. Returns as above.
template <std::random_access_iterator Input, std::random_access_iterator Output, class Value,
          class Operation = std::plus<>>
    requires std::invocable<const Operation&, Value, std::iter_reference_t<Input>>
Output parallel_exclusive_scan(Input first, Input last, Output out, Value init, const Operation& op = {},
                               std::stop_token token = {}) {
    const std::size_t count = algorithm::count_between(first, last);
    algorithm::element_scan<Input, Output, Value, Operation, false> work(first, out, op);
    std::optional<Value> sum(std::move(init));
    algorithm::run_whole<algorithm::lazy_scan>(work, sum, count, 1, std::move(token));
    return algorithm::advanced(out, count);
}

}  // namespace teff
