// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tracker `hypergraph` (Vandierendonck et al., section 4.2): edges between generations; the waiting accesses are
// lists of allocated nodes.
#pragma once

#include <teff/depend/generation_tracker.hpp>

#include <string_view>

namespace teff::depend {

struct allocated_nodes {
    struct access_state {};

    static waiting_node* make(tracked_access& waiting) noexcept {
        waiting_node* const made = create<waiting_node>();
        if (made != nullptr)
            made->access = &waiting;
        return made;
    }
    static tracked_access& take(waiting_node& taken) noexcept {
        tracked_access& access = *taken.access;
        destroy(&taken);
        return access;
    }
};

class hypergraph : public generation_tracker<allocated_nodes> {
public:
    static constexpr std::string_view name = "hypergraph";
};
static_assert(tracker_class<hypergraph>);

}  // namespace teff::depend
