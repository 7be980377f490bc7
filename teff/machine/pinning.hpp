// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binding worker threads to CPUs, when the user asks for it: for good (option `bind`), or while they are in an arena
// that has a place (teff/arena.hpp).
//
// Only threads that the runtime has started may be bound. The mask of an application's thread belongs to the
// application, which may start threads and programs that inherit it. So both are for workers of the pool only, and
// neither binds the process's first thread, which is never a worker.
#pragma once

#include <teff/machine/cpu_mask.hpp>
#include <teff/machine/topology.hpp>

#include <optional>

namespace teff {

// Binds the calling thread to the CPU of worker `worker` in `machine`. Returns false and changes nothing if the
// topology is synthetic, if the calling thread is the first of its process, or if the system refuses. Each thread
// binds only itself.
[[nodiscard]] bool bind_worker_thread(const topology& machine, unsigned worker) noexcept;

// Binds the calling worker for the time of a scope, and restores what it was bound to before. Costs three system calls.
// Has no effect without a mask, on the first thread of the process, or if the system refuses.
class scoped_binding {
public:
    explicit scoped_binding(const cpu_mask* to) noexcept {
        if (to != nullptr) [[unlikely]]
            bind(*to);
    }
    ~scoped_binding() {
        if (before_) [[unlikely]]
            restore();
    }
    scoped_binding(const scoped_binding&) = delete;
    scoped_binding& operator=(const scoped_binding&) = delete;

private:
    void bind(const cpu_mask& to) noexcept;
    void restore() noexcept;

    std::optional<cpu_mask> before_;
};

}  // namespace teff
