// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threadprivate variables (OpenMP 5.1, section 2.21.2) of code that does not use thread-local storage for them: the
// compiler passes the address of the variable, and gets that of the calling thread's copy. The main thread uses the
// variable itself. A thread keeps its copies until it ends, and a team's threads keep their numbers from region to
// region: so values survive between regions.
//
// A copy is made when its thread first asks for it: by the variable's constructor, or with the value that the variable
// had when any thread first asked for a copy. The program cannot have changed it before, since it changes its own copy
// by asking, too.
//
//                              register_threadprivate    find_variable    copy_of    safe together?
//   all                                 yes                   yes           yes
#pragma once

#include <cstddef>

namespace teff::openmp {

// For objects of classes; `count` of them, if has_count. A function may be missing.
struct threadprivate_functions {
    void* (*construct)(void* made) = nullptr;
    void* (*copy)(void* made, void* original) = nullptr;
    void (*end)(void* ended) = nullptr;
    void* (*construct_all)(void* made, std::size_t count) = nullptr;
    void* (*copy_all)(void* made, void* original, std::size_t count) = nullptr;
    void (*end_all)(void* ended, std::size_t count) = nullptr;
    std::size_t count = 0;
};

struct threadprivate_variable;

// Before the first call of the functions below for this variable.
void register_threadprivate(void* variable, const threadprivate_functions& functions) noexcept;

// What the runtime knows of a variable; it stays for good. Looks at all variables, so the caller keeps the result.
threadprivate_variable& find_variable(void* variable, std::size_t size) noexcept;
// The calling thread's copy.
void* copy_of(threadprivate_variable& variable, bool is_main_thread) noexcept;

}  // namespace teff::openmp
