// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the ranks used during a run, as the system counts it (getrusage): how busy the least and the most busy rank kept
// a processor, and the most memory that any rank had at once. A rank without work should sleep, and the memory of a
// rank should not grow with the tree.
#pragma once

#include <bench/harness/kernel.hpp>

#include <string>
#include <vector>

namespace bench::mpi {

class rank_usage {
public:
    // Starts counting now.
    rank_usage();

    // Stops counting. Collective; `seconds` is the time of the run. The other functions are for rank 0.
    void stop(double seconds);

    std::vector<measure> measures() const;
    // The counts of all ranks together, as a JSON object.
    std::string json() const;

private:
    static constexpr int count = 4;  // CPU time in seconds, voluntary and other context switches, page faults
    struct values {
        double each[count];
    };

    static values now();

    values begin_;
    values sums_{};
    double least_percent_ = 0, most_percent_ = 0;
    double peak_mib_ = 0;
};

}  // namespace bench::mpi
