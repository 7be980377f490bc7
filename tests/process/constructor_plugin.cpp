// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A shared object whose constructor calls a function of the program that opens it, by the address in the variable
// CALLED_BY_CONSTRUCTOR. dataflow_graph_test opens it.
#include <cstdlib>

namespace {

struct caller {
    caller() {
        if (const char* const address = std::getenv("CALLED_BY_CONSTRUCTOR"))
            reinterpret_cast<void (*)()>(std::strtoull(address, nullptr, 10))();
    }
} const at_load;

}  // namespace
