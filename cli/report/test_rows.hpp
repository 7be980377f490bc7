// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A measurement without runs, as the tests of the report make many.
#pragma once

#include <cli/report/results.hpp>

#include <string>

namespace teff::cli {

struct test_case {
    std::string kind = "reduce", kernel = "fib", size = "quick", variant = "nowait";
};

inline measurement test_row(const test_case& from, const std::string& runtime, const std::string& compiler,
                            unsigned threads) {
    measurement row;
    row.what.kind = from.kind;
    row.what.kernel = from.kernel;
    row.what.size = from.size;
    row.what.variant = from.variant;
    row.what.runtime = runtime;
    row.what.compiler = compiler;
    row.what.threads = threads;
    return row;
}

}  // namespace teff::cli
