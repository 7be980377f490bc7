// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The source location, which is the first argument of Clang's calls. (Apart, since every file of kmpc/ needs it.) The
// second argument, the number of the thread, is ignored, since each thread finds its place itself.
#pragma once

#include <teff/frontends/openmp/core/events/events.hpp>

#include <cstdint>

namespace teff::openmp::kmpc {

// The compiler's description of a source location. Read only.
struct ident {
    std::int32_t reserved_1;
    std::int32_t flags;
    std::int32_t reserved_2;
    std::int32_t reserved_3;
    const char* source;  // ";file;function;line;column;;"

    static constexpr std::int32_t atomic_reduction = 0x10, explicit_barrier = 0x20, implicit_barrier = 0x40,
                                  work_sections = 0x400, work_distribute = 0x800;
};

// What a tool is told about a barrier.
inline events::sync_kind barrier_at(const ident* where) noexcept {
    if (where != nullptr && (where->flags & ident::explicit_barrier) != 0)
        return events::sync_kind::barrier_explicit;
    if (where != nullptr && (where->flags & ident::implicit_barrier) != 0)
        return events::sync_kind::barrier_workshare;
    return events::sync_kind::barrier_implementation;
}

}  // namespace teff::openmp::kmpc
