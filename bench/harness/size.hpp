// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses the size of a run. `quick` and `paper` stand for the texts in the kernel's description, and the prefix
// `<kernel>:` is optional, so that "quick", "30" and "fib:30" all work. A size out of range is a usage_error that
// names the range.
#pragma once

#include <bench/harness/kernel.hpp>

#include <span>

namespace bench {

// The requested size in the kernel's own form.
std::string size_text(const kernel_description& kernel, const parameters& p);

std::uint64_t integer_size(const kernel_description& kernel, const parameters& p, std::uint64_t minimum,
                           std::uint64_t maximum);
double real_size(const kernel_description& kernel, const parameters& p, double minimum, double maximum);

// One of several numbers in a size, and its range. Messages show its name in capitals.
struct size_part {
    const char* name;
    std::uint64_t minimum;
    std::uint64_t maximum;
};

// The numbers of a size such as 100x20000, as described by `parts`. All must be given. If the size is a list (`quick`
// and `paper` may stand for one), the first size of the list is read.
std::vector<std::uint64_t> size_numbers(const kernel_description& kernel, const parameters& p,
                                        std::span<const size_part> parts);

}  // namespace bench
