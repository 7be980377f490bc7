// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a tool finds that looks for others (OpenMP 5.1, section 4.2.1). A tool defines this function itself; one that
// passes the call on must be told that there is no further tool, so it cannot be left unwritten.

extern "C" [[gnu::weak]] void* ompt_start_tool(unsigned /*omp_version*/, const char* /*runtime_version*/) {
    return nullptr;
}
