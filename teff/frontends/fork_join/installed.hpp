// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A member in the context of its thread.
#pragma once

#include <teff/frontends/fork_join/current.hpp>
#include <teff/frontends/fork_join/job.hpp>

namespace teff::forking {

// Makes `self` the calling thread's member, and puts back what was there before.
class installed {
public:
    explicit installed(member& self) noexcept
        : youngest_(current.youngest), root_(current.root), last_shared_(current.last_shared),
          pending_(current.pending), groups_(current.groups), self_(current.self) {
        current.youngest = current.root = current.last_shared = &own_root_;
        current.pending = current.groups = 0;
        current.self = &self;
        ring_once();
    }
    ~installed() {
        current.youngest = youngest_;
        current.root = root_;
        current.last_shared = last_shared_;
        current.pending = pending_;
        current.groups = groups_;
        current.self = self_;
        ring_once();
    }
    installed(const installed&) = delete;
    installed& operator=(const installed&) = delete;

private:
    // relaxed: the thread's own; requests to its other self may have been missed.
    static void ring_once() noexcept { current.limit.store(context::rung, std::memory_order_relaxed); }

    job own_root_;
    job* youngest_;
    job* root_;
    job* last_shared_;
    unsigned pending_;
    unsigned groups_;
    member* self_;
};

}  // namespace teff::forking
