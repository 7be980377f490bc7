// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of kernels: the nine of Blaze-Tasks, section 5.1, those whose tasks always wait, those of algorithms, the
// micro-benchmarks, and those of kind threads. A new kernel needs a folder and a row in bench/kernels.inc.
#pragma once

#include <bench/harness/kernel.hpp>

#include <span>

namespace bench {

struct kernel {
    const kernel_description& description;
    outcome (*run)(const parameters&);
};

std::span<const kernel> all_kernels();

// The kernel of kind threads with that name, or of the other kinds, which share theirs. Throws usage_error if there is
// none.
const kernel& kernel_by_name(const std::string& name, const std::string& kind);

}  // namespace bench
