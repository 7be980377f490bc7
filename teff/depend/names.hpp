// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The only table of dependence trackers: the name that a user writes, and one sentence for `teff info`. Each name is
// also the name of the file and of the class teff::depend::NAME. The first row is the default.
#pragma once

#include <teff/base/named_choice.hpp>

namespace teff {

inline constexpr named_choice tracker_names[] = {
    {"tickets", "counters instead of edges, and a pool of waiting tasks by depth (Vandierendonck et al., section 4.4)"},
    {"list", "one list of waiting tasks per object, with marks between generations (section 4.3)"},
    {"embedded_hypergraph", "edges between generations, without memory for lists (section 4.2)"},
    {"hypergraph", "edges between generations (section 4.2)"},
    {"embedded_graph", "an edge per pair of dependent tasks, lists of tasks without memory (section 4.1.1)"},
    {"graph", "an edge per pair of dependent tasks (section 4.1)"},
};

}  // namespace teff
