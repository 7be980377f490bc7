// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a micro-benchmark is run and shown. The command knows no kernel by name: a kernel says here which of its measures
// is the number to look at, which pictures the report draws of it, and how its configurations multiply.
#pragma once

#include <bench/harness/kernel.hpp>

namespace bench {

// A picture of one measure. `lines`: one line per runtime and scheduler over `across`, which is "threads" or a measure
// that is given; what lacks that measure is a level line. `boxes`: a measure by worker, as one box of
// quartiles per runtime and scheduler over all workers and runs.
struct figure_description {
    enum class shape { lines, boxes };

    shape form;
    const char* title;
    const char* measured;                // name of the measure
    const char* measured_title;          // with its unit
    const char* across = "";
    const char* across_title = "";
    const char* where = "";              // only rows in which this given measure ...
    double equals = 0;                   // ... has this value
    double least = 0;                    // above 0: a logarithmic axis, and smaller values are drawn there
    bool by_variant = false;             // one picture per variant, else all of them in one
};

struct micro_description {
    const char* headline;                // the measure in the table
    const char* headline_title;
    std::vector<figure_description> figures;
    bool variants_differ = false;        // each variant is work of its own, not to be compared with the others
    bool by_threads = false;             // without --threads: 1, 2, 4 and so on
    bool own_threads = false;            // runs on threads of its own and not on a runtime's: no scheduler matters
    bool paced = false;                  // has tasks of a given time: takes --pace
    const char* peer_quick = nullptr;    // the sizes of all families but teff, where they are others
    const char* peer_paper = nullptr;
};

}  // namespace bench
