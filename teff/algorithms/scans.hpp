// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prefix sums. While no worker is idle, a piece is scanned once, from left to right, and carries its sum along. When a
// worker is idle, the rest is halved: this thread goes on with the first half, and the thread that takes the second
// half adds it up, in segments and without output. When both halves are done, the sums in front of the segments are
// known, and the segments are scanned in parallel. If no thread took the second half before the first one was done, the
// second half is also scanned only once.
//
//   piece:   scan, scan, ... | first half: continues to scan (and may be halved again)
//                            | second half: add up s1 s2 s3 ...   then scan s1 s2 s3 ... in parallel
//
// So each element is read at most twice, by one addition and one scan: the work is at most 2n, and n if no thread
// helps.
//
// A Work has:   value fresh();  void add(begin, end, value&);  void scan(begin, end, value&);
//               void join(value& left, const value& right)
// add() and scan() get the sum of everything in front of the elements and return it with the elements included.
#pragma once

#include <teff/algorithms/lazy_loop.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/partitioner.hpp>
#include <teff/queue/kept_items.hpp>

#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

namespace teff::algorithm {

template <class Work>
class lazy_scan {
public:
    using value = typename Work::value;

    lazy_scan(Work& work, halt& stop, std::size_t grain) noexcept
        : work_(work), halt_(stop), grain_(grain) {}

    void run(std::size_t begin, std::size_t end, value& carried) noexcept {
        halt_.guard([&] { run_or_throw(begin, end, carried); });
    }
    void run_whole(std::size_t begin, std::size_t end, value& carried) noexcept { run(begin, end, carried); }

private:
    static constexpr std::size_t most_segments = 64;

    void run_or_throw(std::size_t begin, std::size_t end, value& carried) {
        pace own(known_, grain_, end - begin);
        own.start();
        while (begin != end && !halt_.is_set()) {
            const std::size_t rest = end - begin;
            // A division that brings no benefit costs a second scan.
            if (!forking::is_plain() && own.is_worth_forking(rest / 4)) {
                begin = fork(begin, end, carried);
                own.start();
                continue;
            }
            const std::size_t count = rest < own.chunk() + grain_ ? rest : own.chunk();
            work_.scan(begin, begin + count, carried);
            begin += count;
            own.ran(count);
        }
    }

    // Divides [begin, end) into segments of about the same length.
    class segments {
    public:
        segments(std::size_t begin, std::size_t end, std::size_t least)
            : begin_(begin), size_(end - begin),
              count_(within<std::size_t>(size_ / least, 1, most_segments)) {}
        std::size_t count() const noexcept { return count_; }
        std::size_t begin_of(std::size_t segment) const noexcept {
            return begin_ + size_ / count_ * segment + smaller(segment, size_ % count_);
        }

    private:
        std::size_t begin_, size_, count_;
    };

    // Returns the index up to which [begin, end) has been scanned.
    [[gnu::noinline]] std::size_t fork(std::size_t begin, std::size_t end, value& carried) {
        const std::size_t middle = begin + (end - begin) / 2;
        const segments parts(middle, end, larger(known_.load(), grain_));
        kept_items<value> sums;  // of the segments, once they have all been added up
        bool are_added = false;
        atomic<bool> is_first_done{false};
        fork_join(
            [=, this, &carried, &is_first_done] {
                run(begin, middle, carried);
                // relaxed: a hint that adding up is no longer useful.
                is_first_done.store(true, std::memory_order_relaxed);
            },
            [this, &parts, &sums, &are_added, &is_first_done] {
                // relaxed: as above.
                if (!is_first_done.load(std::memory_order_relaxed))
                    halt_.guard([&] {
                        add_up(parts, sums);
                        are_added = true;
                    });
            });
        if (!are_added || halt_.is_set())
            return middle;
        for (std::size_t i = 0; i != sums.size(); ++i) {
            value& sum = sums[i];
            // Replaces the sum of the segment by the sum of everything in front of it.
            value behind = carried;
            work_.join(behind, sum);
            sum = std::exchange(carried, std::move(behind));
        }
        run_segments(parts, [&](std::size_t from, std::size_t to, std::size_t part) {
            work_.scan(from, to, sums[part]);
        });
        return end;
    }
    void add_up(const segments& parts, kept_items<value>& sums) {
        while (sums.size() != parts.count())
            sums.add(work_.fresh());
        run_segments(parts, [&](std::size_t from, std::size_t to, std::size_t i) { work_.add(from, to, sums[i]); });
    }
    template <class F>
    void run_segments(const segments& parts, const F& each) noexcept {
        run_chunks(
            [&](std::size_t from, std::size_t to) {
                for (std::size_t i = from; i != to; ++i)
                    each(parts.begin_of(i), parts.begin_of(i + 1), i);
            },
            parts.count(), halt_);
    }

    Work& work_;
    halt& halt_;
    const std::size_t grain_;
    known_pace known_;
};

// The functional form of the oneTBB specification: one function for both passes.
template <class Range, class Value, class Scan, class Join>
class body_scan {
public:
    using value = Value;

    body_scan(const Range& whole, const Value& identity, const Scan& scan, const Join& joined) noexcept
        : whole_(whole), identity_(identity), scan_(scan), join_(joined) {}

    Value fresh() const { return identity_; }
    void add(std::size_t begin, std::size_t end, Value& sum) const {
        sum = std::invoke(scan_, whole_.part(begin, end), std::as_const(sum), false);
    }
    void scan(std::size_t begin, std::size_t end, Value& sum) const {
        sum = std::invoke(scan_, whole_.part(begin, end), std::as_const(sum), true);
    }
    void join(Value& left, const Value& right) const {
        left = std::invoke(join_, std::as_const(left), right);
    }

private:
    const Range& whole_;
    const Value& identity_;
    const Scan& scan_;
    const Join& join_;
};

// Sums that are Body objects of the oneTBB specification. The bodies that run are split from the caller's body, which
// receives the final sum.
template <class Range, class Body, class Partitioner, template <bool> class Tag>
class split_scan {
public:
    struct value {
        std::unique_ptr<Body> body;

        explicit value(Body& from) : body(std::make_unique<Body>(from, split{})) {}
        value(value&&) = default;
        value& operator=(value&&) = default;
        value(const value& other) : value(*other.body) { body->assign(*other.body); }
    };

    split_scan(const Range& whole, Body& body) noexcept : whole_(whole), body_(body) {}

    value fresh() const { return value(body_); }
    void add(std::size_t begin, std::size_t end, value& sum) const { call<false>(begin, end, *sum.body); }
    void scan(std::size_t begin, std::size_t end, value& sum) const { call<true>(begin, end, *sum.body); }
    void join(value& left, const value& right) const {
        value both = right;
        both.body->reverse_join(*left.body);
        left = std::move(both);
    }

private:
    template <bool is_final>
    void call(std::size_t begin, std::size_t end, Body& body) const {
        call_by<Partitioner>(whole_.part(begin, end), [&](const Range& part) { body(part, Tag<is_final>()); });
    }

    const Range& whole_;
    Body& body_;
};

// Scans of the C++ standard. Without an identity, the sum of no elements is std::nullopt.
template <class Input, class Output, class Value, class Operation, bool is_inclusive>
class element_scan {
public:
    using value = std::optional<Value>;

    element_scan(Input first, Output out, const Operation& operation)
        : first_(std::move(first)), out_(std::move(out)), operation_(operation) {}

    static value fresh() noexcept { return std::nullopt; }
    void add(std::size_t begin, std::size_t end, value& sum) const {
        held<Operation> operation = operation_;
        const Input stop = advanced(first_, end);
        Input each = advanced(first_, begin);
        Value total = sum ? Value(std::move(*sum)) : Value(*each++);
        for (; each != stop; ++each)
            total = std::invoke(operation, std::move(total), *each);
        sum = std::move(total);
    }
    void scan(std::size_t begin, std::size_t end, value& sum) const {
        held<Operation> operation = operation_;
        const Input stop = advanced(first_, end);
        Input each = advanced(first_, begin);
        Output to = advanced(out_, begin);
        if (!sum) {
            sum.emplace(*each++);
            *to++ = *sum;
        }
        Value total = std::move(*sum);
        for (; each != stop; ++each, ++to) {
            if constexpr (is_inclusive) {
                total = std::invoke(operation, std::move(total), *each);
                *to = total;
            } else {
                // Computed before the output is written, since the output may be the input.
                Value behind = std::invoke(operation, total, *each);
                *to = std::move(total);
                total = std::move(behind);
            }
        }
        sum = std::move(total);
    }
    void join(value& left, const value& right) const {
        if (left && right)
            *left = std::invoke(operation_, std::move(*left), *right);
        else if (right)
            left = *right;
    }

private:
    Input first_;
    Output out_;
    const Operation& operation_;
};

}  // namespace teff::algorithm
