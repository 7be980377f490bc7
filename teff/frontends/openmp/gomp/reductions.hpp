// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's task reductions. The compiler describes them by an array of words:
//
//   [0] number of items   [1] bytes for each thread   [2] alignment; becomes the address of the copies
//   [3] unused here       [4] the next description, or 0          [5], [6] for the runtime
//   [7 + 3 i] the variable's address   [8 + 3 i] offset of its copy in a thread's bytes   [9 + 3 i] for the runtime
//
// The compiler's code initializes the copies, and combines them when the construct has ended.
#pragma once

#include <teff/frontends/openmp/core/teams/place.hpp>

#include <cstdint>

namespace teff::openmp::gomp {

// Registers reductions of the group that the running task has begun last. The caller calls free_reductions() after the
// group's end.
void register_reductions(place& caller, std::uintptr_t* description) noexcept;
void free_reductions(std::uintptr_t* description) noexcept;

// For loop, sections and scope constructs: each thread of the team begins a group, whose copies the team shares.
// GOMP_workshare_task_reduction_unregister() ends it.
void begin_shared_reductions(place& caller, std::uintptr_t* description) noexcept;

}  // namespace teff::openmp::gomp
