// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The name of the function that an address lies in, for a report: from the loader, which knows what a program or
// library exports, or else from the file's table of symbols (.symtab), which is there unless the file was stripped.
// Otherwise the place in the file, which addr2line understands.
//
// Any thread. Nothing here throws. The C++ library, if the process has one, makes the name of a function of C++
// readable, for which it takes memory.
#pragma once

#include <array>

namespace teff {

struct frame_name {
    std::array<char, 200> text;
    bool is_of_runtime;  // of this library or the C library, which are of no interest to the user
};

frame_name name_of_frame(void* returns_to) noexcept;

}  // namespace teff
