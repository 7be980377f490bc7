// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binding worker threads to CPUs, when the user asks for it (option `bind`).
//
// Only threads that the runtime has started may be bound. The mask of an application's thread belongs to the
// application, which may start threads and programs of its own that inherit it; so the process's first thread, which is
// never ours, is refused here, and the pool calls this from the start routine of its workers only.
#pragma once

#include <teff/machine/topology.hpp>

namespace teff {

// Binds the calling thread to the CPU of worker `worker` in `machine`. False, with nothing changed, if the topology is
// synthetic, the calling thread is the first of its process, or the system refuses. Each thread binds only itself.
[[nodiscard]] bool bind_worker_thread(const topology& machine, unsigned worker) noexcept;

}  // namespace teff
