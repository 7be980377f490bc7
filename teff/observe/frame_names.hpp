// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the name of the function that contains an address, for a report. The name comes from the loader, which knows
// exported functions, or else from the file's symbol table (.symtab), which a stripped file lacks. Without either, the
// name is the offset in the file, in a form that addr2line understands.
//
// Any thread. Nothing here throws. If the process has the C++ library, names of C++ functions are demangled, which
// allocates memory.
#pragma once

#include <array>

namespace teff {

struct frame_name {
    std::array<char, 200> text;
    bool is_of_runtime;  // of this library or the C library; the report leaves it out
};

frame_name name_of_frame(void* returns_to) noexcept;

}  // namespace teff
