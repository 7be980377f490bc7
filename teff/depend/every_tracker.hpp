// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The classes of all trackers, for code that is compiled for each of them: the constructors (trackers.cpp), and the
// tests. The rows that users see are in names.hpp.
#pragma once

#include <teff/depend/embedded_graph.hpp>
#include <teff/depend/embedded_hypergraph.hpp>
#include <teff/depend/graph.hpp>
#include <teff/depend/hypergraph.hpp>
#include <teff/depend/list.hpp>
#include <teff/depend/tickets.hpp>

namespace teff::depend {

// The order does not matter.
template <template <class...> class List>
using every_tracker = List<tickets, list, embedded_hypergraph, hypergraph, embedded_graph, graph>;

}  // namespace teff::depend
