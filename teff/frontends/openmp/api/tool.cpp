// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tools: the runtime calls none yet, and a program that wants to control one is told so (OpenMP 5.1, section 3.14).
//
// ompt_start_tool() is how the runtime finds a tool (section 4.2.1). A tool defines it itself. A tool that passes the
// call on to the next definition reaches this one, which says that there is no further tool.

extern "C" [[gnu::weak]] void* ompt_start_tool(unsigned /*omp_version*/, const char* /*runtime_version*/) {
    return nullptr;
}

// omp_control_tool_notool
extern "C" int omp_control_tool(int /*command*/, int /*modifier*/, void* /*argument*/) { return -2; }
extern "C" int omp_control_tool_(const int* /*command*/, const int* /*modifier*/, void* /*argument*/) { return -2; }
