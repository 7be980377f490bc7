// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The source location, which is the first argument of Clang's calls. (Apart, since every file of kmpc/ needs it.) The
// second argument, the number of the thread, is ignored, since each thread finds its place itself.
#pragma once

#include <cstdint>

namespace teff::openmp::kmpc {

// The compiler's description of a source location. Read only.
struct ident {
    std::int32_t reserved_1;
    std::int32_t flags;
    std::int32_t reserved_2;
    std::int32_t reserved_3;
    const char* source;  // ";file;function;line;column;;"

    static constexpr std::int32_t atomic_reduction = 0x10;
};

}  // namespace teff::openmp::kmpc
