// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pictures of a micro-benchmark, as its presentation asks for them.
//
// Each runtime, scheduler and variant is one line or box, drawn from the faster of its compilers; where rows differ in
// the number of threads and the picture is not about it, those with the greatest number are taken.
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

// rows: all of one kernel. A picture for which there are no rows is left out.
[[nodiscard]] std::vector<titled_picture> micro_plots(const std::vector<const measurement*>& rows,
                                                      const presentation& shown);

}  // namespace teff::cli
