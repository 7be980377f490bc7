// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values that loops and trees carry in a reduction. A sum begins with the identity or, if the operator has none,
// with the first element of a piece.
//
// Each class works with lazy_loop (pieces given by index), and with lazy_tree and fixed_tree (pieces given as ranges).
#pragma once

#include <teff/blocked_range.hpp>
#include <teff/algorithms/elements.hpp>
#include <teff/algorithms/lazy_loop.hpp>
#include <teff/algorithms/lazy_tree.hpp>
#include <teff/partitioner.hpp>

#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace teff::algorithm {

template <class Range>
struct is_blocked_range : std::false_type {};
template <class Value>
struct is_blocked_range<blocked_range<Value>> : std::true_type {};

template <class Range, class Value, class Body, class Join>
class body_sum {
public:
    using value = Value;

    body_sum(const Range& whole, const Value& identity, const Body& body, const Join& joined) noexcept
        : whole_(whole), identity_(identity), body_(body), join_(joined) {}

    Value fresh() const { return identity_; }
    void run(std::size_t begin, std::size_t end, Value& sum) const { run(whole_.part(begin, end), sum); }
    void run(const Range& part, Value& sum) const { sum = std::invoke(body_, part, std::move(sum)); }
    void join(Value& left, Value&& right) const { left = std::invoke(join_, std::move(left), std::move(right)); }

private:
    const Range& whole_;
    const Value& identity_;
    const Body& body_;
    const Join& join_;
};

// Sums that are Body objects of the oneTBB specification. Those of second halves are split from the caller's body.
template <class Range, class Body, class Partitioner>
class split_body {
public:
    using value = Body;

    split_body(const Range& whole, Body& body) noexcept : whole_(whole), body_(body) {}

    Body fresh() const { return Body(body_, split{}); }
    void run(std::size_t begin, std::size_t end, Body& body) const { run(whole_.part(begin, end), body); }
    void run(const Range& part, Body& body) const { call_by<Partitioner>(part, body); }
    void join(Body& left, Body&& right) const { left.join(right); }

private:
    const Range& whole_;
    Body& body_;
};

template <class Iterator, class Value, class Operation>
class element_sum {
public:
    using value = std::optional<Value>;

    element_sum(Iterator first, const Operation& operation) : first_(std::move(first)), operation_(operation) {}

    static value fresh() noexcept { return std::nullopt; }
    void run(std::size_t begin, std::size_t end, value& sum) const {
        add(advanced(first_, begin), advanced(first_, end), sum);
    }
    void run(const blocked_range<Iterator>& part, value& sum) const { add(part.begin(), part.end(), sum); }
    void join(value& left, value&& right) const {
        if (left && right)
            *left = std::invoke(operation_, std::move(*left), std::move(*right));
        else if (right)
            left = std::move(right);
    }

private:
    void add(Iterator each, const Iterator stop, value& sum) const {
        held<Operation> operation = operation_;
        Value total = sum ? Value(std::move(*sum)) : Value(*each++);
        for (; each != stop; ++each)
            total = std::invoke(operation, std::move(total), *each);
        sum = std::move(total);
    }

    Iterator first_;
    const Operation& operation_;
};

// Reduces in pieces that depend on the load, joined from left to right.
template <class Range, class Work>
void run_lazily(Work& work, typename Work::value& sum, const Range& range, std::stop_token token) {
    if constexpr (is_blocked_range<Range>::value)
        run_whole<lazy_loop>(work, sum, range.empty() ? 0 : range.size(), range.grainsize(), std::move(token));
    else
        run_tree(work, sum, range, std::move(token));
}

}  // namespace teff::algorithm
