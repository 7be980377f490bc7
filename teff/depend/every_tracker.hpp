// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The classes of all trackers, apart from tracker.hpp so that front ends do not compile them: for the constructors
// (tracker.cpp), and for tests. The rows that users see are in names.hpp.
#pragma once

#include <teff/depend/edge_tracker.hpp>
#include <teff/depend/generation_tracker.hpp>
#include <teff/depend/list.hpp>
#include <teff/depend/tickets.hpp>

namespace teff::depend {

// The order does not matter.
template <template <class...> class List>
using every_tracker = List<tickets, list, embedded_hypergraph, hypergraph, embedded_graph, graph>;

}  // namespace teff::depend
