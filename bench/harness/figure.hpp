// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a micro-benchmark is run and shown. The command knows no kernel by name. So each kernel states here which of
// its measures is the headline number, which figures the report draws of it, and how its configurations are combined.
#pragma once

#include <bench/harness/kernel.hpp>

namespace bench {

// A figure of one measure. `lines`: one line per runtime and scheduler over `across`, which is "threads" or a given
// measure; a runtime that does not have that measure is drawn as a level line. `boxes`: a measure that has one value
// per worker, drawn as one box plot per runtime and scheduler over all workers and runs. `dots`: a line per variant
// with a point per runtime and scheduler on a logarithmic axis; one picture for each number of threads.
struct figure_description {
    enum class shape { lines, boxes, dots };

    shape form;
    const char* title;
    const char* measured;                // name of the measure
    const char* measured_title;          // with its unit
    const char* across = "";
    const char* across_title = "";
    const char* where = "";              // only rows in which this given measure ...
    double equals = 0;                   // ... has this value
    double least = 0;                    // above 0: log axis that starts here; smaller values are drawn here
    bool by_variant = false;             // one figure per variant, otherwise all variants in one
};

struct micro_description {
    const char* headline;                // the measure that the table shows
    const char* headline_title;
    std::vector<figure_description> figures;
    bool variants_differ = false;        // each variant is different work: never compare two variants
    bool by_threads = false;             // without --threads, runs with 1, 2, 4 and so on
    bool own_threads = false;            // runs on threads that it starts itself: the scheduler has no effect
    bool paced = false;                  // has tasks of a given duration, so it takes --pace
    const char* compared = "";           // the measure whose ratios are formed; empty: the time
    const char* peer_quick = nullptr;    // the sizes for all families but teff; null: the same sizes
    const char* peer_paper = nullptr;
};

// The time of a run over its size.
inline figure_description seconds_over(const char* title, const char* across, const char* across_title, double least) {
    return {.form = figure_description::shape::lines, .title = title, .measured = "seconds", .measured_title = "s",
            .across = across, .across_title = across_title, .least = least};
}

}  // namespace bench
