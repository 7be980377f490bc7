// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The constants of the schedulers and of one team, as plain values that are fixed while the team lives.
//
// They come from the option table (runtime/options), which stands on a higher floor and fills them in. The defaults
// here are the table's, so that a scheduler can be built alone in a test.
#pragma once

#include <teff/machine/topology.hpp>

#include <cstddef>

namespace teff {

struct scheduler_settings {
    unsigned slots = 1;                 // members at most, 1..4096
    const topology* machine = nullptr;  // tells how near two workers are; nullptr: all share a socket

    // Attempts of a thief at one victim, by proximity (Blaze-Tasks, section 4.3.2).
    unsigned attempts_same_core = 6;
    unsigned attempts_same_socket = 4;
    unsigned attempts_other_socket = 2;
    unsigned attempts_above_average = 8;
    unsigned below_average_divisor = 4;  // no attempt where less than average / divisor is queued; 0 turns it off

    std::size_t block_size = 128;        // items in a block of block_queue, 2..65536
    std::size_t epoch_threshold = 16;    // retired blocks per participant before a time stamp is taken
    std::size_t max_queued = 0;          // items a member queues before it refuses; 0 is unlimited
    std::size_t private_items = 65536;   // demand: items a member queues before it refuses
    unsigned inline_depth = 64;          // refused items that may run inside each other on one stack
};

}  // namespace teff
