// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A network between ranks, in the manner of LogGP (Alexandrov et al., SPAA 1995): a latency, a bandwidth of each rank's
// link in either direction, and the processor time that a message costs its sender and its receiver.
//
// The links of a rank carry one message at a time, so a rank that many others send to is a bottleneck. Switches between
// the links are never one: a network with full bisection. A message that is larger than `eager_bytes` is announced
// first and fetched by the receiver, which costs one more round trip.
#pragma once

#include <simulator/machine.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace simulator {

struct network_costs {
    double latency_ns = 1500;          // from link to link
    double bytes_per_ns = 10;          // of a link: 10 is 10 GB/s
    double send_ns = 500;              // of the sender's processor
    double receive_ns = 500;           // of the receiver's
    std::size_t eager_bytes = 8192;    // the largest message that travels without being announced
    std::size_t header_bytes = 64;
};

class network {
public:
    // Throws std::bad_alloc.
    network(unsigned ranks, const network_costs& costs) : costs_(costs), free_(ranks) {}

    // When a message arrives that leaves the sender's processor at this time. Calls must be in the order of `at`, but
    // for one and the same sender, whose messages arrive in the order of the calls.
    duration send(unsigned from, unsigned to, std::size_t bytes, duration at) noexcept {
        const duration latency = picoseconds(costs_.latency_ns);
        const duration transfer =
            picoseconds(static_cast<double>(bytes + costs_.header_bytes) / costs_.bytes_per_ns);
        if (bytes > costs_.eager_bytes)
            at += 2 * latency;
        const duration begin = std::max(at, free_[from].out);
        free_[from].out = begin + transfer;
        // The first byte arrives after the latency; the last one when both links have carried all.
        const duration arrival = std::max(begin + latency, free_[to].in) + transfer;
        free_[to].in = arrival;
        return arrival;
    }
    const network_costs& costs() const noexcept { return costs_; }

private:
    // When a rank's links are free.
    struct links {
        duration out = 0, in = 0;
    };

    const network_costs costs_;
    std::vector<links> free_;
};

}  // namespace simulator
