// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A slot of xqueue_scheduler: its queues, the state of its member, and the request that thieves write there.
#pragma once

#include <teff/base/light_standard.hpp>
#include <teff/queue/hand_over_cell.hpp>
#include <teff/queue/kept_items.hpp>
#include <teff/queue/xqueue.hpp>
#include <teff/scheduler/dealing_team.hpp>
#include <teff/scheduler/late_items.hpp>
#include <teff/scheduler/member_registry.hpp>
#include <teff/scheduler/steal_request.hpp>
#include <teff/scheduler/termination_detector.hpp>

#include <cstdint>
#include <optional>

namespace teff {

template <class T>
struct xqueue_slot {
    static constexpr unsigned nobody = steal_request::nobody;
    // Where the item that the member has claimed is stored.
    enum class place : unsigned char { queue, hand, cell, overflow };

    // the consumer: the holder of the slot's consumer token; producers: see xqueue.hpp
    xqueue<T> queues;
    hand_over_cell<T> cell;
    unsigned number = 0;  // constant
    // only the member uses these; a visitor that takes an answer writes `asked` and `last_giver`, too
    std::optional<T> hand;       // taken from a queue, not yet claimed
    kept_items<T> overflow;      // from push_overflow()
    place claimed = place::queue;
    bool run_uncounted = false;        // an item was released, and its run is not yet counted
    member_registry::round_robin turns;
    random_generator random{1};
    late_items::set dealt_to = 0;  // slots that may hold items of this member, to be marked if their members leave
    unsigned full = 0;            // pushes to refuse without a look at the queue
    unsigned given = 0;           // items that pushes gave in the present round of requests
    std::uint64_t served = 0;     // requests that were answered with an item
    unsigned last_giver = nobody;  // the victim that gave something last
    unsigned asked = nobody;      // the victim of the last request; wait: only until the round is over
    steal_request::round round = steal_request::not_asked;  // the round of that request; wait only
    adaptive_polling tries;
    bool is_closed = false;       // accepts no requests, while the member is idle
    // the member and thieves write
    steal_request requests;
    // the member writes, idle members read
    termination_detector::account account;
    last_look looked;
};

}  // namespace teff
