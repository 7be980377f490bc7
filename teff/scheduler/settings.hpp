// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The constants of the schedulers and of one team, as plain values that are fixed while the team lives.
//
// Most of them are options: a row of the option table (options/option_rows.hpp, on a higher floor) names the field
// that it fills and takes the option's default from here.
#pragma once

#include <teff/machine/topology.hpp>
#include <teff/reclaim/names.hpp>

#include <cstddef>
#include <string_view>

namespace teff {

// How idle workers of the X-OpenMP schedulers get items that others have queued (the four variants of section 5).
enum class xqueue_stealing : unsigned char { none, wait, no_wait, no_wait_two };

class idle_tracker;
class task_scheduler;
struct scheduler_settings;
// Makes a scheduler whose queues hold task descriptors, for items of that size and alignment. Throws std::bad_alloc.
using task_scheduler_maker = task_scheduler* (*)(const scheduler_settings&, idle_tracker& idle,
                                                 std::size_t payload_size, std::size_t payload_alignment);

struct scheduler_settings {
    // Values of `shepherds` besides numbers: the scheduler's own choice, one per worker, one per NUMA domain.
    static constexpr int usual_shepherds = 0, shepherd_per_worker = -1, shepherd_per_numa = -2;

    unsigned slots = 1;                 // members at most, 1..4096
    const topology* machine = nullptr;  // says how near two workers are; nullptr: all share a socket

    // Attempts of a thief at one victim, by proximity (Blaze-Tasks, section 4.3.2).
    unsigned attempts_same_core = 6;
    unsigned attempts_same_socket = 4;
    unsigned attempts_other_socket = 2;
    unsigned attempts_above_average = 8;
    unsigned below_average_divisor = 4;  // no attempt if less than average / divisor is queued; 0: always try
    bool visits_in_turn = false;         // round robin over all victims, instead of the near ones first
    bool steals_one = false;             // blaze: a thief takes one item instead of half a block

    std::size_t block_size = 128;        // items in a block of block_queue, 2..65536
    std::string_view reclaimer = reclaimer_names[0].name;  // blaze: when shared blocks are freed
    std::size_t epoch_threshold = 16;    // epoch, hazard: retired blocks of a participant before it tries to free
    std::size_t max_queued = 0;          // items a member queues before it refuses; 0 is unlimited
    std::size_t private_items = 65536;   // demand: items a member queues before it refuses

    xqueue_stealing stealing = xqueue_stealing::none;
    std::size_t xqueue_capacity = 64;         // items in one queue, a power of two
    std::size_t xqueue_memory = 64U << 20;    // bytes of all queues of a team, which bounds their number
    unsigned min_tries = 16;                  // xqueue_wait: polls before a thief gives up, at first and least
    unsigned max_tries = 4096;                // the same, at most
    unsigned xqueue_full_pause = 8;           // pushes refused after a full queue, before the next look; 0: none
    unsigned dry_polls = 4;                   // xqueue, demand: polls of a member without items before it is idle
    bool binds_workers = false;               // whether workers are bound to CPUs; xqueue: queues on their nodes

    task_scheduler_maker make = nullptr;      // task_scheduler_for: makes the scheduler that it uses
    std::size_t ompi_queue_size = 24;         // tasks in a member's ring, 1..2^20
    unsigned ompi_combining_bound = 0;        // dequeues that a combiner performs in a row; 0: 10 for each member
    std::size_t task_limit = 1024;            // the Qthreads schedulers: pending tasks of a member; 0: no limit
    int shepherds = usual_shepherds;          // groups of workers: how many, or one of the constants
    unsigned sherwood_steal = 0;              // tasks stolen at once; 0: as many as the shepherd has workers
    unsigned distrib_steal_ratio = 8;         // looks into the own queue for each look into another's
    bool rescue = false;                      // xqueue, fifo, nemesis: whether idle members take busy members' items
    bool counts = false;                      // whether to count what members do
    bool members_wait = false;                // whether members other than the caller also sleep in the team
    unsigned inline_depth = 64;          // refused items that may run nested on one stack

    bool operator==(const scheduler_settings&) const = default;
};

}  // namespace teff
