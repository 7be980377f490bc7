// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function by which the runtime finds a tool (OpenMP 5.1, section 4.2.1). A tool defines it itself. A tool that
// passes the call on to the next definition reaches this one, which says that there is no further tool.

extern "C" [[gnu::weak]] void* ompt_start_tool(unsigned /*omp_version*/, const char* /*runtime_version*/) {
    return nullptr;
}
