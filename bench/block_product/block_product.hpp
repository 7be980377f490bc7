// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The task graph of a product of matrices of DxD blocks (Vandierendonck et al., section 5.5.1, Figs. 12 and 13): a task
// for each pair of blocks A(i, k) and B(k, j) reads both and adds to C(i, j), so there are D*D chains of D tasks. In
// the order ijk a chain is spawned as a whole, so most tasks wait; in the order kij the chains grow in turn.
//
// A size is D and the length of a task in nanoseconds, such as 32x1000. A task spins for that long instead of
// multiplying, as in the paper. It puts what it has read into the value of its C, so a wrong order shows.
#pragma once

#include <bench/dataflow/dataflow.hpp>
#include <bench/harness/delay.hpp>

#include <cstddef>
#include <memory>

namespace bench::block_product {

struct work {
    std::size_t blocks;                  // of a row
    std::uint64_t nanoseconds;
    bool is_ijk;
};
work work_of(const parameters& p);

// The new value of a task's block of C. The result depends on the order of the tasks.
inline std::uint64_t mixed(std::uint64_t c, std::uint64_t a, std::uint64_t b) { return c * 3 + a * b; }

// `answer`: mixed over all blocks of C, in order.
outcome checked(const work& of, double seconds, std::uint64_t answer, unsigned threads);

template <class Face> outcome measured(const parameters& p) {
    using block = typename Face::template data<std::uint64_t>;
    const work of = work_of(p);
    const std::size_t blocks = of.blocks;
    const std::uint64_t iterations = delay_iterations(p.pace, of.nanoseconds);
    const auto a = std::make_unique<block[]>(blocks * blocks);
    const auto b = std::make_unique<block[]>(blocks * blocks);
    const auto c = std::make_unique<block[]>(blocks * blocks);
    for (std::size_t each = 0; each < blocks * blocks; ++each) {
        a[each].value() = each + 1;
        b[each].value() = each + 2;
    }
    const auto spawn = [&](std::size_t i, std::size_t j, std::size_t k) {
        Face::spawn(
            [iterations](const std::uint64_t& left, const std::uint64_t& right, std::uint64_t& to) {
                delay(iterations);
                to = mixed(to, left, right);
            },
            Face::in(a[i * blocks + k]), Face::in(b[k * blocks + j]), Face::inout(c[i * blocks + j]));
    };
    double seconds = 0;
    Face::run(p, [&] {
        seconds = time_seconds([&] {
            // The loops over what is outermost, in the middle, and innermost.
            for (std::size_t x = 0; x < blocks; ++x)
                for (std::size_t y = 0; y < blocks; ++y)
                    for (std::size_t z = 0; z < blocks; ++z)
                        if (of.is_ijk)
                            spawn(x, y, z);
                        else
                            spawn(y, z, x);
            Face::sync();
        });
    });
    std::uint64_t answer = 0;
    for (std::size_t each = 0; each < blocks * blocks; ++each) answer = mixed(answer, c[each].value(), 1);
    return checked(of, seconds, answer, p.threads);
}

}  // namespace bench::block_product
