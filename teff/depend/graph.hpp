// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tracker `graph` (Vandierendonck et al., section 4.1): explicit edges, and generations as lists of allocated
// nodes, which a release searches.
#pragma once

#include <teff/depend/edge_tracker.hpp>

#include <string_view>

namespace teff::depend {

class graph : public edge_tracker<allocated_list> {
public:
    static constexpr std::string_view name = "graph";
};
static_assert(tracker_class<graph>);

}  // namespace teff::depend
