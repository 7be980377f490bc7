// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What fibers wait for at the moment, for the report of a deadlock or a stall (runtime/stall_report.hpp). The record of
// a fiber's wait is that of its stack (runtime/wait_reason.hpp).
#pragma once

#include <teff/runtime/wait_reason.hpp>

namespace teff::threads {

// From here on a deadlock takes the calling thread into account, and reports find the waits of fibers.
void expect_waits() noexcept;

}  // namespace teff::threads
