// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tracker `embedded_graph` (Vandierendonck et al., section 4.1.1): explicit edges, and generations as lists whose
// nodes lie in the accesses, so that a release removes an access without a search.
#pragma once

#include <teff/depend/edge_tracker.hpp>

#include <string_view>

namespace teff::depend {

class embedded_graph : public edge_tracker<embedded_list> {
public:
    static constexpr std::string_view name = "embedded_graph";
};
static_assert(tracker_class<embedded_graph>);

}  // namespace teff::depend
