// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threadprivate variables (OpenMP 5.1, section 2.21.2) of code that does not use thread-local storage for them: the
// compiler passes the address of the variable, and gets that of the calling thread's copy. The main thread uses the
// variable itself. A thread keeps its copies until it ends, and a team's threads keep their numbers from region to
// region: so values survive between regions.
//
// A copy is made when its thread first asks for it: by the variable's constructor, or with the value that the variable
// had when any thread first asked for a copy. This is the variable's initial value: the main thread asks before every
// access, too, so no thread can have changed the variable before.
//
//                              register_threadprivate    find_variable    copy_of    safe together?
//   all                                 yes                   yes           yes
#pragma once

#include <cstddef>

namespace teff::openmp {

// The functions for objects of classes. Those that end in `_all` are for arrays of `count` objects. Any of them may be
// nullptr.
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

// Call before the functions below are first called for this variable.
void register_threadprivate(void* variable, const threadprivate_functions& functions) noexcept;

// Returns the runtime's record of a variable, which is never freed. The call searches all variables, so the caller
// should keep the result.
threadprivate_variable& find_variable(void* variable, std::size_t size) noexcept;
// The calling thread's copy.
void* copy_of(threadprivate_variable& variable, bool is_main_thread) noexcept;

}  // namespace teff::openmp
