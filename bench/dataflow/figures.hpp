// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The figures that several kernels of kind dataflow have.
#pragma once

#include <bench/harness/figure.hpp>

namespace bench::dataflow {

// A measure over the number of threads. least: of figure_description.
inline figure_description over_threads(const char* title, const char* measured, const char* measured_title,
                                       double least = 0, bool by_variant = false) {
    return {.form = figure_description::shape::lines, .title = title,
            .measured = measured, .measured_title = measured_title, .across = "threads", .across_title = "threads",
            .least = least, .by_variant = by_variant};
}

// The same over the length of a task, which the kernel gives as `length_ns`.
inline figure_description over_length(const char* title, const char* measured, const char* measured_title, double least,
                                      bool by_variant = false) {
    return {.form = figure_description::shape::lines, .title = title,
            .measured = measured, .measured_title = measured_title,
            .across = "length_ns", .across_title = "length of a task, ns", .least = least, .by_variant = by_variant};
}

// Of a program with a rate, which the table shows, too: both titles of its unit.
inline micro_description rate(const char* measured, const char* short_unit, const char* title, const char* unit) {
    return {.headline = measured, .headline_title = short_unit, .figures = {over_threads(title, measured, unit)}};
}

}  // namespace bench::dataflow
