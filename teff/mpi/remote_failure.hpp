// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a reduction on many machines throws on the ranks that have no error themselves. A header of its own, since it is
// a part of the public one.
#pragma once

#include <stdexcept>
#include <string>

namespace teff::mpi {

// Thrown on a rank that has no error of its own: a task, or the start of the call, has thrown on another rank.
class remote_failure : public std::runtime_error {
public:
    // Only the library makes it: with the number of that rank, and the text of its exception.
    remote_failure(int rank, const std::string& text)
        : std::runtime_error("rank " + std::to_string(rank) + ": " + text), rank_(rank) {}

    // The rank that has failed; of several, the lowest.
    int rank() const noexcept { return rank_; }

private:
    int rank_;
};

}  // namespace teff::mpi
