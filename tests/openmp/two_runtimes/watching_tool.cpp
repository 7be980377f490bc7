// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tool without callbacks, which two runtimes of a process may both start. Says so on stdout.
#include <omp-tools.h>

#include <cstdio>

namespace {

int begin(ompt_function_lookup_t, int, ompt_data_t*) {
    std::puts("a tool watches");
    return 1;
}
void end(ompt_data_t*) {}

}  // namespace

extern "C" ompt_start_tool_result_t* ompt_start_tool(unsigned /*version*/, const char* /*runtime*/) {
    static ompt_start_tool_result_t result{begin, end, {0}};
    return &result;
}
