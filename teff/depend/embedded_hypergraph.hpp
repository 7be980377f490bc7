// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tracker `embedded_hypergraph` (Vandierendonck et al., section 4.2): edges between generations; the waiting
// accesses are linked through themselves, so that only generations are allocated.
#pragma once

#include <teff/depend/generation_tracker.hpp>

#include <string_view>

namespace teff::depend {

struct embedded_nodes {
    using access_state = waiting_node;

    static waiting_node* make(tracked_access& waiting) noexcept {
        waiting_node& made = waiting.state.as<access_state>();
        made.access = &waiting;
        return &made;
    }
    static tracked_access& take(waiting_node& taken) noexcept { return *taken.access; }
};

class embedded_hypergraph : public generation_tracker<embedded_nodes> {
public:
    static constexpr std::string_view name = "embedded_hypergraph";
};
static_assert(tracker_class<embedded_hypergraph>);

}  // namespace teff::depend
