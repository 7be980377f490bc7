// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tracker `hypergraph` (Vandierendonck et al., section 4.2): edges between generations; the waiting accesses are
// lists of allocated nodes.
#pragma once

#include <teff/depend/generation_tracker.hpp>

namespace teff::depend {

class hypergraph : public generation_tracker<allocated_list> {};
static_assert(tracker_class<hypergraph>);

}  // namespace teff::depend
