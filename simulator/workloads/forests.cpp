// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two kernels of forks over data that moves between cores with the tasks: the villages of health, and the blocks of a
// sparse LU factorization.
#include <simulator/workloads/all.hpp>

#include <teff/fork_join.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace simulator {
namespace {

// Calls f(0) to f(count - 1): the leaves of a binary tree of forks.
template <class F>
void fork_range(std::size_t first, std::size_t last, const F& f) {
    if (last - first == 1) {
        f(first);
        return;
    }
    const std::size_t middle = first + (last - first) / 2;
    teff::fork_join([first, middle, &f] { fork_range(first, middle, f); },
                    [middle, last, &f] { fork_range(middle, last, f); });
}

constexpr std::size_t branches = 4;

// A village, and those of its inhabitants that its step changes.
struct alignas(64) village {
    std::array<unsigned long, 8 * 10> words{};
};

class country {
public:
    explicit country(unsigned levels) {
        std::size_t count = 0;
        for (unsigned level = 0; level < levels; ++level)
            count = count * branches + 1;
        villages_.resize(count);
    }
    std::size_t size() const noexcept { return villages_.size(); }

    void step(std::size_t number) {
        const std::size_t below = number * branches + 1;
        if (below < villages_.size())
            fork_range(0, branches, [this, below](std::size_t index) { step(below + index); });
        live(number, below);
    }

private:
    // Takes over what the villages below have sent up.
    void live(std::size_t number, std::size_t below) {
        village& home = villages_[number];
        if (below < villages_.size()) {
            const village* const first = &villages_[below];
            use({{&home, sizeof home, true},
                 {first, 64, true},
                 {first + 1, 64, true},
                 {first + 2, 64, true},
                 {first + 3, 64, true}});
        } else {
            use({{&home, sizeof home, true}});
        }
        work_ns(120);
    }

    std::vector<village> villages_;
};

// Which blocks of the matrix are not empty at first, in the way of the Barcelona suite.
bool is_filled(std::size_t row, std::size_t column) noexcept {
    if (row == column || row + 1 == column || column + 1 == row)
        return true;
    return !((row < column && row % 3 != 0) || (row > column && column % 3 != 0) || row % 2 == 1 || column % 2 == 1);
}

constexpr double factor_ns = 16'000, solve_ns = 24'000, product_ns = 46'000;

class block_matrix {
public:
    explicit block_matrix(std::size_t blocks)
        : blocks_(blocks), filled_(blocks * blocks), data_(blocks * blocks * block_bytes) {
        for (std::size_t i = 0; i < blocks * blocks; ++i)
            filled_[i] = is_filled(i / blocks, i % blocks);
    }

    std::uint64_t factor_all() {
        std::uint64_t tasks = 0;
        for (std::size_t step = 0; step < blocks_; ++step) {
            run(factor_ns, {{at(step, step), block_bytes, true}});
            std::vector<std::size_t> rows, columns;
            for (std::size_t i = step + 1; i < blocks_; ++i) {
                if (filled_[i * blocks_ + step])
                    rows.push_back(i);
                if (filled_[step * blocks_ + i])
                    columns.push_back(i);
            }
            if (!rows.empty() || !columns.empty())
                fork_range(0, rows.size() + columns.size(), [&](std::size_t index) {
                    const bool is_right = index < columns.size();
                    const char* const block =
                        is_right ? at(step, columns[index]) : at(rows[index - columns.size()], step);
                    run(solve_ns, {{at(step, step), block_bytes, false}, {block, block_bytes, true}});
                });
            if (!rows.empty() && !columns.empty())
                fork_range(0, rows.size() * columns.size(), [&](std::size_t index) {
                    const std::size_t row = rows[index / columns.size()], column = columns[index % columns.size()];
                    run(product_ns, {{at(row, step), block_bytes, false},
                                     {at(step, column), block_bytes, false},
                                     {at(row, column), block_bytes, true}});
                });
            for (const std::size_t row : rows) {
                for (const std::size_t column : columns)
                    filled_[row * blocks_ + column] = true;
            }
            tasks += 1 + rows.size() + columns.size() + rows.size() * columns.size();
        }
        return tasks;
    }

private:
    static constexpr std::size_t block_bytes = 40 * 40 * sizeof(double);

    const char* at(std::size_t row, std::size_t column) const noexcept {
        return &data_[(row * blocks_ + column) * block_bytes];
    }
    static void run(double ns, std::initializer_list<used_data> data) {
        use(data);
        work_ns(ns);
    }

    std::size_t blocks_;
    std::vector<char> filled_;
    std::vector<char> data_;
};

}  // namespace

std::uint64_t run_health(const request& wanted) {
    constexpr unsigned levels = 7;
    country all(levels);
    teff::execute({.threads = wanted.threads, .scheduler = wanted.scheduler}, [&] {
        for (long step = 0; step < wanted.size; ++step)
            all.step(0);
    });
    return all.size() * static_cast<std::uint64_t>(wanted.size);
}

std::uint64_t run_sparselu(const request& wanted) {
    block_matrix matrix(static_cast<std::size_t>(wanted.size));
    std::uint64_t tasks = 0;
    teff::execute({.threads = wanted.threads, .scheduler = wanted.scheduler}, [&] { tasks = matrix.factor_all(); });
    return tasks;
}

}  // namespace simulator
