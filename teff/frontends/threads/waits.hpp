// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The current waits of fibers, for the report of a deadlock or a stall (observe/stall_report.hpp). A fiber's wait is
// noted in the record of its stack (strand/wait_reason.hpp).
#pragma once

#include <teff/strand/wait_reason.hpp>

namespace teff::threads {

// From here on the deadlock detection counts the calling thread, and reports find the waits of fibers.
void make_waits_known() noexcept;

}  // namespace teff::threads
