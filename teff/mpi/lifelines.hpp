// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ranks a rank asks for work: some random ranks first, then its lifelines (Saraswat et al., "Lifeline-based
// global load balancing", PPoPP 2011).
//
// The lifelines of a rank are its neighbours in a hypercube: the ranks whose number differs in one bit. Unless there is
// a power of two of them, some corners of the cube are missing. The graph is symmetric, and it stays connected, since
// clearing the highest bit of a rank leads to a lower one, and in the end to rank 0.
#pragma once

#include <cstdint>
#include <vector>

namespace teff::mpi {

// In ascending order of the bits. Throws std::bad_alloc.
inline std::vector<int> lifelines_of(int rank, int size) {
    std::vector<int> neighbours;
    for (std::int64_t bit = 1; bit < size; bit *= 2) {
        const std::int64_t neighbour = rank ^ bit;
        if (neighbour < size)
            neighbours.push_back(static_cast<int>(neighbour));
    }
    return neighbours;
}

// Random victims (xorshift, Marsaglia 2003). One thread.
class random_ranks {
public:
    explicit random_ranks(int rank) noexcept : state_(0x9e3779b97f4a7c15U * (static_cast<std::uint64_t>(rank) + 1)) {}

    // A rank other than `self`; size >= 2.
    int other_than(int self, int size) noexcept {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        const auto drawn = static_cast<int>((state_ >> 16) % static_cast<std::uint64_t>(size - 1));
        return drawn >= self ? drawn + 1 : drawn;
    }

private:
    std::uint64_t state_;
};

}  // namespace teff::mpi
