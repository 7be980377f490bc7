// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stacks of fibers in the model build (fibers.cpp), for scenarios in which there are none.
#pragma once

namespace model {

// False: no fiber gets a stack. Set it before any fiber is started.
extern bool has_memory_for_stacks;

}  // namespace model
