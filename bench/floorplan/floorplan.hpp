// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floorplan: place cells on a board of 64 x 64 so that their bounding rectangle is smallest (Blaze-Tasks, section
// 5.1; the problem comes from Cray's application kernel matrix by way of the Barcelona OpenMP Tasks Suite).
//
// Cells are placed in a fixed order. Each has alternative shapes and must be directly right of one given cell,
// directly below another, or both; "directly" means that their borders share at least one unit. A task is one attempt
// to place one cell at one place. It gives up if the cell would overlap others or make the rectangle larger than the
// bound; otherwise it creates an attempt for every shape and place of the next cell. Tasks carry the whole board by
// value (a word per row) and the rectangles placed so far, up to 624 bytes: this kernel shows the cost of copying a
// large task. The paper has no continuation here, and we have none.
//
// A search that shares its best area visits more or fewer nodes, depending on timing. The compared variants therefore
// start with the optimum as a fixed bound and keep every placement that does not exceed it, so they must visit the
// same nodes in every runtime. Only the variant `shared` starts without a bound and improves it.
//
// As in the paper, the task has a copy constructor of its own, because GCC generates slow code for the default one.
// Rejected: testing overlap against the placed rectangles without a board. That copies less, but large tasks are the
// purpose of this kernel.
#pragma once

#include <bench/harness/kernel.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace bench::floorplan {

inline constexpr int board_size = 64;
inline constexpr int max_cells = 24;            // in a file
inline constexpr int min_cells = 5;             // in a generated problem
inline constexpr int max_generated_cells = 16;
inline constexpr std::uint32_t no_area = std::numeric_limits<std::uint32_t>::max();

struct shape {
    std::int8_t height = 0;
    std::int8_t width = 0;
};

// Neighbours are indices of cells placed earlier. Cell 0 is the board's left edge at the top row; -1 means no
// neighbour.
struct cell {
    std::vector<shape> shapes;
    int left_neighbour = -1;
    int upper_neighbour = -1;
};

// `cells[0]` stands for the edge of the board; the others are in the order of placement.
struct problem {
    std::vector<cell> cells;
    std::uint32_t optimum = 0;
    std::uint64_t tasks = 0;   // with the optimum as a fixed bound; 0: unknown

    int last() const { return static_cast<int>(cells.size()) - 1; }
};

// Inclusive rows and columns. The members have no initial values, since a copy of a task would first have to write
// them.
struct rectangle {
    std::int8_t top;
    std::int8_t left;
    std::int8_t bottom;
    std::int8_t right;
};

inline rectangle rectangle_at(int top, int left, shape form) {
    return {static_cast<std::int8_t>(top), static_cast<std::int8_t>(left),
            static_cast<std::int8_t>(top + form.height - 1), static_cast<std::int8_t>(left + form.width - 1)};
}

// The placements so far, and the attempt to make: cell number `next` at `attempt`. The board is the last member, so
// that a copy can stop after the last row in use; rows from `height` on are never read.
struct task {
    rectangle attempt;
    std::int8_t next;
    std::int8_t height;  // of the bounding rectangle of all placed cells
    std::int8_t width;
    std::array<rectangle, max_cells + 1> placed;
    std::array<std::uint64_t, board_size> board;

    // Cell 0 is the edge that the first cell touches: one row high, directly left of the board.
    task() : attempt{}, next(0), height(0), width(0) { placed[0] = {0, -1, 0, -1}; }
    task(const task& other) { copy(other); }
    task& operator=(const task& other) {
        if (this != &other) copy(other);
        return *this;
    }

private:
    // One memcpy whose length is known only at run time: GCC's code for a copy of fixed size takes twice the time.
    void copy(const task& other) {
        const std::size_t rows = static_cast<std::size_t>(other.height) * sizeof(std::uint64_t);
        std::memcpy(static_cast<void*>(this), &other, offsetof(task, board) + rows);
    }
};
static_assert(std::is_standard_layout_v<task>);

struct result {
    std::uint32_t smallest = no_area;
    std::uint64_t tasks = 0;

    result& operator+=(const result& other) {
        smallest = std::min(smallest, other.smallest);
        tasks += other.tasks;
        return *this;
    }
};

// A bound that never changes: the optimum of the problem.
class fixed_bound {
public:
    explicit fixed_bound(std::uint32_t area) : area_(area) {}
    bool allows(std::uint32_t area) const { return area <= area_; }
    void found(std::uint32_t) const {}

private:
    std::uint32_t area_;
};

// The smallest area that any worker has found; allows only smaller areas.
class shared_bound {
public:
    bool allows(std::uint32_t area) const {
        // relaxed: a stale bound only costs work, and no other data is read through it; partner: the CAS in found().
        return area < area_.load(std::memory_order_relaxed);
    }

    void found(std::uint32_t area) {
        // relaxed: as in allows(); the area itself is all that is communicated.
        std::uint32_t seen = area_.load(std::memory_order_relaxed);
        while (area < seen) {
            // relaxed for success and failure: as above.
            if (area_.compare_exchange_weak(seen, area, std::memory_order_relaxed, std::memory_order_relaxed)) break;
        }
    }

    // relaxed: called only after the search.
    std::uint32_t area() const { return area_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint32_t> area_{no_area};
};

// The bits that a rectangle covers in a row of the board.
inline std::uint64_t row_of(const rectangle& place) {
    const auto width = static_cast<unsigned>(place.right - place.left + 1);
    return (~std::uint64_t{0} >> (64U - width)) << static_cast<unsigned>(place.left);
}

// Whether the place of the attempt is still free.
inline bool is_free(const task& node) {
    const std::uint64_t row = row_of(node.attempt);
    std::uint64_t taken = 0;
    const int end = std::min<int>(node.height, node.attempt.bottom + 1);
    for (int line = node.attempt.top; line < end; ++line)
        taken |= node.board[static_cast<std::size_t>(line)];
    return (taken & row) == 0;
}

// The area of the bounding rectangle of all placed cells and the attempt.
inline std::uint32_t area_with_attempt(const task& node) {
    const int height = std::max<int>(node.height, node.attempt.bottom + 1);
    const int width = std::max<int>(node.width, node.attempt.right + 1);
    return static_cast<std::uint32_t>(height * width);
}

// Places the cell of the attempt.
inline void occupy(task& node) {
    const std::uint64_t row = row_of(node.attempt);
    for (; node.height <= node.attempt.bottom; ++node.height) node.board[static_cast<std::size_t>(node.height)] = 0;
    for (int line = node.attempt.top; line <= node.attempt.bottom; ++line)
        node.board[static_cast<std::size_t>(line)] |= row;
    node.placed[static_cast<std::size_t>(node.next)] = node.attempt;
    node.width = std::max(node.width, static_cast<std::int8_t>(node.attempt.right + 1));
}

// The possible positions of a shape's upper left corner: all in one row, or all in one column.
struct corners {
    int top = 0;
    int last_top = -1;
    int left = 0;
    int last_left = -1;
};

inline corners corners_for(const task& node, const cell& placing, shape form) {
    const auto placed = [&](int index) -> const rectangle& { return node.placed[static_cast<unsigned>(index)]; };
    corners range;
    if (placing.left_neighbour >= 0 && placing.upper_neighbour >= 0) {
        const rectangle& left = placed(placing.left_neighbour);
        const rectangle& upper = placed(placing.upper_neighbour);
        range = {upper.bottom + 1, upper.bottom + 1, left.right + 1, left.right + 1};
        const bool touches_left = range.top <= left.bottom && range.top + form.height > left.top;
        const bool touches_upper = range.left <= upper.right && range.left + form.width > upper.left;
        if (!touches_left || !touches_upper) {
            return {};
        }
    } else if (placing.upper_neighbour >= 0) {
        const rectangle& upper = placed(placing.upper_neighbour);
        range = {upper.bottom + 1, upper.bottom + 1, upper.left - form.width + 1, upper.right};
    } else {
        const rectangle& left = placed(placing.left_neighbour);
        range = {left.top - form.height + 1, left.bottom, left.right + 1, left.right + 1};
    }
    range.top = std::max(range.top, 0);
    range.left = std::max(range.left, 0);
    range.last_top = std::min(range.last_top, board_size - form.height);
    range.last_left = std::min(range.last_left, board_size - form.width);
    return range;
}

// Calls create(child) for every shape and place of cell number `index`. `node` holds the placements so far.
template <class Create>
void for_each_attempt(const problem& input, task& node, int index, const Create& create) {
    const cell& placing = input.cells[static_cast<unsigned>(index)];
    node.next = static_cast<std::int8_t>(index);
    for (const shape form : placing.shapes) {
        const corners range = corners_for(node, placing, form);
        for (int top = range.top; top <= range.last_top; ++top) {
            for (int left = range.left; left <= range.last_left; ++left) {
                node.attempt = rectangle_at(top, left, form);
                create(node);
            }
        }
    }
}

// Executes one task: checks the attempt and, if it succeeds, places the cell and returns expand(node), where `node`
// holds the placements. The board is copied only in that case, since most attempts fail. The first task has no cell
// to place.
template <class Bound, class Expand>
[[gnu::always_inline]] inline result step_with(const problem& input, Bound& bound, const task& attempt,
                                               const Expand& expand) {
    if (attempt.next != 0) {
        if (!is_free(attempt)) return {.tasks = 1};
        const std::uint32_t area = area_with_attempt(attempt);
        if (!bound.allows(area)) return {.tasks = 1};
        if (attempt.next == input.last()) {
            bound.found(area);
            return {.smallest = area, .tasks = 1};
        }
    }
    task node = attempt;
    if (node.next != 0) occupy(node);
    return expand(node);
}

// The same, with create(child) for each following attempt.
template <class Bound, class Create>
result step(const problem& input, Bound& bound, const task& attempt, const Create& create) {
    return step_with(input, bound, attempt, [&](task& node) -> result {
        for_each_attempt(input, node, node.next + 1, create);
        return {.tasks = 1};
    });
}

// The results of the children of a task that waits for them; all children add to them concurrently.
class frame_total {
public:
    void add(const result& found) {
        // relaxed: the wait of the parent orders the additions before its total().
        tasks_.fetch_add(found.tasks, std::memory_order_relaxed);
        smallest_.found(found.smallest);
    }

    result total() const {
        // relaxed: after the wait; see add().
        return {smallest_.area(), tasks_.load(std::memory_order_relaxed)};
    }

private:
    std::atomic<std::uint64_t> tasks_{0};
    shared_bound smallest_;
};

// The task as the body of a reduction over tasks.
template <class Bound> struct body {
    const problem& input;
    Bound& bound;

    template <class Pool> result operator()(Pool& pool, const task& attempt) const {
        return step(input, bound, attempt, [&pool](const task& child) { pool.enq(child); });
    }
};

// Calls measure(bound) with the bound of the requested variant.
template <class Measure> outcome with_bound(const parameters& p, const problem& input, const Measure& measure) {
    if (p.variant == "shared") {
        shared_bound bound;
        return measure(bound);
    }
    fixed_bound bound(input.optimum);
    return measure(bound);
}

task first_task();

// The problem that p asks for: a file, or a number of cells from min_cells to max_generated_cells.
problem problem_of(const parameters& p);

// A generated problem with `cells` cells, its optimum and its number of tasks.
problem make_problem(int cells);

// A random problem of the same kind, without optimum and number of tasks.
problem random_problem(int cells, std::uint64_t seed);

// Reads the format of the Barcelona suite.
problem read_problem(const std::string& path);

// The same search, implemented differently: a single arrangement with undone placements, and a cell-by-cell overlap
// test. `bound` is the largest area of interest; with `improve` it shrinks to the best area found.
result search_serially(const problem& input, std::uint32_t bound, bool improve);

// Compares the result with the optimum and, if the bound was fixed, with the number of tasks.
outcome checked(const parameters& p, const problem& input, double seconds, const result& found);

// Both variants on a runtime whose harness sums the results of tasks that do not wait. make_search(input, bound) makes
// the search whose tasks wait.
template <class Forks, class MakeSearch> outcome run_variants(const parameters& p, const MakeSearch& make_search) {
    const problem input = problem_of(p);
    const task first = first_task();
    return with_bound(p, input, [&](auto& bound) {
        if (p.variant == "wait") {
            const auto whole = make_search(input, bound);
            const auto [seconds, found] = timed_call<Forks>(p, [&] { return whole.run(first); });
            return checked(p, input, seconds, found);
        }
        const auto [seconds, found] = summed_over_tasks<result>(
            p, first, [&](const task& node, const auto& create) { return step(input, bound, node, create); });
        return checked(p, input, seconds, found);
    });
}

}  // namespace bench::floorplan
