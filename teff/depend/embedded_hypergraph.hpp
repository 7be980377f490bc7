// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tracker `embedded_hypergraph` (Vandierendonck et al., section 4.2): edges between generations; the waiting
// accesses are linked through themselves, so that only generations are allocated.
#pragma once

#include <teff/depend/generation_tracker.hpp>

namespace teff::depend {

class embedded_hypergraph : public generation_tracker<embedded_list> {};
static_assert(tracker_class<embedded_hypergraph>);

}  // namespace teff::depend
