// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checker's fibers have no stacks. How one of them parks is in tests/model/sync_var_scenarios.cpp.
#pragma once
