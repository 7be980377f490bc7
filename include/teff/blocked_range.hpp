// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges that can be split in two: of values or random-access iterators, in one, two or three dimensions. Names and
// meaning are those of the oneTBB specification (section "Blocked ranges"). The parallel algorithms run over them, and
// over any other type with these members:
//
//   R(R& other, split)       takes the second half of `other`, which keeps the first
//   bool empty() const
//   bool is_divisible() const
//   size() const             optional: how much work the range stands for
//
// The grainsize is the number of iterations at or below which a range is not divided further. It is a lower bound on
// the length of pieces, for bodies that want many iterations per call. The algorithms find the length of their pieces
// by measuring, so the default, 1, is right for most loops.
//
// Thread safety is that of values: several threads may read one at once, while no thread changes it.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace teff {

// Tag of the constructors that split their argument in two.
struct split {};

// The ranges that the algorithms accept: blocked ranges, and other types with the members above.
template <class Range>
concept splittable_range = requires(const Range range, Range& whole) {
    Range(whole, split{});
    { range.empty() } -> std::convertible_to<bool>;
    { range.is_divisible() } -> std::convertible_to<bool>;
};

// [begin, end): integers, or other values that can be compared with <, subtracted, and advanced by + with a difference.
template <class Value>
class blocked_range {
public:
    // The type of begin() and end(), which is the value itself.
    using const_iterator = Value;
    // The type of sizes and of the grainsize.
    using size_type = std::size_t;

    // begin <= end. Throws std::invalid_argument if the grainsize is 0.
    blocked_range(Value begin, Value end, size_type grainsize = 1)
        : begin_(std::move(begin)), end_(std::move(end)), grainsize_(grainsize) {
        if (grainsize == 0)
            throw std::invalid_argument("teff: a range's grainsize is 0; it must be 1 or more");
    }
    // Takes the second half of `whole`, which keeps the first. Requires whole.is_divisible().
    blocked_range(blocked_range& whole, split)
        : begin_(advanced(whole.begin_, whole.size() / 2)), end_(whole.end_), grainsize_(whole.grainsize_) {
        whole.end_ = begin_;
    }

    // The first value.
    const_iterator begin() const { return begin_; }
    // The value behind the last one.
    const_iterator end() const { return end_; }
    // The number of values. Requires begin() <= end().
    size_type size() const {
        // Integers are subtracted as bit patterns, since the difference of two may not fit into their type.
        if constexpr (std::integral<Value>)
            return static_cast<size_type>(static_cast<std::make_unsigned_t<Value>>(static_cast<size_type>(end_) -
                                                                                   static_cast<size_type>(begin_)));
        else
            return static_cast<size_type>(end_ - begin_);
    }
    // The number of values at or below which the range is not divided; 1 or more.
    size_type grainsize() const { return grainsize_; }
    // Whether there is no value.
    bool empty() const { return !(begin_ < end_); }
    // Whether there are more values than the grainsize.
    bool is_divisible() const { return grainsize_ < size(); }

    // The part from value number `first` up to, not including, number `last`; first <= last <= size().
    blocked_range part(size_type first, size_type last) const {
        return {advanced(begin_, first), advanced(begin_, last), grainsize_};
    }

private:
    static Value advanced(const Value& from, size_type by) {
        if constexpr (std::integral<Value>)
            return static_cast<Value>(static_cast<size_type>(from) + by);
        else
            return from + static_cast<decltype(from - from)>(by);
    }

    Value begin_, end_;
    size_type grainsize_;
};

namespace algorithm {

template <class Value>
double grains(const blocked_range<Value>& range) {
    return static_cast<double>(range.size()) / static_cast<double>(range.grainsize());
}

}  // namespace algorithm

// Rows times columns. A split divides the dimension that has more grains.
template <class RowValue, class ColValue = RowValue>
class blocked_range2d {
public:
    // The type of rows().
    using row_range_type = blocked_range<RowValue>;
    // The type of cols().
    using col_range_type = blocked_range<ColValue>;

    // [row_begin, row_end) times [col_begin, col_end), with a grainsize of 1 in both dimensions.
    blocked_range2d(RowValue row_begin, RowValue row_end, ColValue col_begin, ColValue col_end)
        : rows_(std::move(row_begin), std::move(row_end)), cols_(std::move(col_begin), std::move(col_end)) {}
    // With a grainsize for each dimension. Throws std::invalid_argument if one of them is 0.
    blocked_range2d(RowValue row_begin, RowValue row_end, std::size_t row_grainsize, ColValue col_begin,
                    ColValue col_end, std::size_t col_grainsize)
        : rows_(std::move(row_begin), std::move(row_end), row_grainsize),
          cols_(std::move(col_begin), std::move(col_end), col_grainsize) {}
    // Takes the second half of `whole` in one dimension; `whole` keeps the first. Requires whole.is_divisible().
    blocked_range2d(blocked_range2d& whole, split) : rows_(whole.rows_), cols_(whole.cols_) {
        if (algorithm::grains(rows_) < algorithm::grains(cols_))
            cols_ = col_range_type(whole.cols_, split{});
        else
            rows_ = row_range_type(whole.rows_, split{});
    }

    // The range of rows.
    const row_range_type& rows() const { return rows_; }
    // The range of columns.
    const col_range_type& cols() const { return cols_; }
    // The number of cells: rows times columns.
    std::size_t size() const { return rows_.size() * cols_.size(); }
    // Whether there is no cell.
    bool empty() const { return rows_.empty() || cols_.empty(); }
    // Whether one of the dimensions can be divided.
    bool is_divisible() const { return rows_.is_divisible() || cols_.is_divisible(); }

private:
    row_range_type rows_;
    col_range_type cols_;
};

// Pages times rows times columns. A split divides the dimension that has the most grains.
template <class PageValue, class RowValue = PageValue, class ColValue = RowValue>
class blocked_range3d {
public:
    // The type of pages().
    using page_range_type = blocked_range<PageValue>;
    // The type of rows().
    using row_range_type = blocked_range<RowValue>;
    // The type of cols().
    using col_range_type = blocked_range<ColValue>;

    // [page_begin, page_end) times rows times columns, with a grainsize of 1 in all dimensions.
    blocked_range3d(PageValue page_begin, PageValue page_end, RowValue row_begin, RowValue row_end,
                    ColValue col_begin, ColValue col_end)
        : pages_(std::move(page_begin), std::move(page_end)), rows_(std::move(row_begin), std::move(row_end)),
          cols_(std::move(col_begin), std::move(col_end)) {}
    // With a grainsize for each dimension. Throws std::invalid_argument if one of them is 0.
    blocked_range3d(PageValue page_begin, PageValue page_end, std::size_t page_grainsize, RowValue row_begin,
                    RowValue row_end, std::size_t row_grainsize, ColValue col_begin, ColValue col_end,
                    std::size_t col_grainsize)
        : pages_(std::move(page_begin), std::move(page_end), page_grainsize),
          rows_(std::move(row_begin), std::move(row_end), row_grainsize),
          cols_(std::move(col_begin), std::move(col_end), col_grainsize) {}
    // Takes the second half of `whole` in one dimension; `whole` keeps the first. Requires whole.is_divisible().
    blocked_range3d(blocked_range3d& whole, split)
        : pages_(whole.pages_), rows_(whole.rows_), cols_(whole.cols_) {
        const double of_rows = algorithm::grains(rows_), of_cols = algorithm::grains(cols_);
        if (algorithm::grains(pages_) >= std::max(of_rows, of_cols))
            pages_ = page_range_type(whole.pages_, split{});
        else if (of_rows >= of_cols)
            rows_ = row_range_type(whole.rows_, split{});
        else
            cols_ = col_range_type(whole.cols_, split{});
    }

    // The range of pages.
    const page_range_type& pages() const { return pages_; }
    // The range of rows.
    const row_range_type& rows() const { return rows_; }
    // The range of columns.
    const col_range_type& cols() const { return cols_; }
    // The number of cells: pages times rows times columns.
    std::size_t size() const { return pages_.size() * rows_.size() * cols_.size(); }
    // Whether there is no cell.
    bool empty() const { return pages_.empty() || rows_.empty() || cols_.empty(); }
    // Whether one of the dimensions can be divided.
    bool is_divisible() const { return pages_.is_divisible() || rows_.is_divisible() || cols_.is_divisible(); }

private:
    page_range_type pages_;
    row_range_type rows_;
    col_range_type cols_;
};

}  // namespace teff
