// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pictures of a micro-benchmark, as its presentation describes them.
//
// Each runtime, scheduler and variant is one line or box, drawn from the faster of its compilers. If rows differ in
// the number of threads and the picture does not have threads as its axis, the rows with the greatest number are
// used.
#pragma once

#include <string>
#include <vector>

#include <cli/report/presentation.hpp>
#include <cli/report/results.hpp>

namespace teff::cli {

struct titled_picture {
    std::string title;
    std::string markup;
};

// `rows`: all rows of one kernel. A picture without rows is left out.
[[nodiscard]] std::vector<titled_picture> micro_plots(const std::vector<const measurement*>& rows,
                                                      const presentation& shown);

}  // namespace teff::cli
