// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binding worker threads to CPUs, when the user asks for it (option `bind`).
//
// Only threads that the runtime has started may be bound. The mask of an application's thread belongs to the
// application, which may start threads and programs that inherit it. So the pool calls this function only from the
// start routine of its workers, and the function refuses the process's first thread, which is never a worker.
#pragma once

#include <teff/machine/topology.hpp>

namespace teff {

// Binds the calling thread to the CPU of worker `worker` in `machine`. Returns false and changes nothing if the
// topology is synthetic, if the calling thread is the first of its process, or if the system refuses. Each thread
// binds only itself.
[[nodiscard]] bool bind_worker_thread(const topology& machine, unsigned worker) noexcept;

}  // namespace teff
