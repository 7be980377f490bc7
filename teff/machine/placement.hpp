// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where threads and their memory are: workers are bound to CPUs when the user asks for it, and data that one thread
// uses most lie on pages of that thread's NUMA node.
#pragma once

#include <teff/machine/cpu_mask.hpp>
#include <teff/machine/topology.hpp>

#include <cstddef>
#include <optional>

namespace teff {

// Binding worker threads to CPUs, when the user asks for it: for good (option `bind`), or while they are in an arena
// that has a place (teff/arena.hpp).
//
// Only threads that the runtime has started may be bound. The mask of an application's thread belongs to the
// application, which may start threads and programs that inherit it. So both are for workers of the pool only, and
// neither binds the process's first thread, which is never a worker.

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

namespace teff::local_pages {

// Pages for data that one thread uses most, on the NUMA node of that thread.
//
// Three things decide on which node a page lies: which thread touches it first, whether the allocator hands out a page
// that another thread has touched before, and what else lies on the page. So this memory does not come from malloc: it
// consists of whole pages that no thread has touched. They are never parts of huge pages, which could span the memory
// of two threads. map() and move_here() make the calling thread's node their preferred one by mbind, which also
// overrules a policy of the process. Where the kernel has no NUMA, or a filter of system calls refuses mbind, the first
// touch decides alone.
//
// All functions may be called by any thread. Neither map() nor move_here() touches the memory.

// The bytes of a page, a power of two. Memory from map() has this alignment.
std::size_t page_size() noexcept;

// The number of the NUMA node on which the calling thread runs; 0 if it is not known. A thread that is not bound to a
// CPU may have moved on since.
unsigned current_node() noexcept;

// At least `bytes` bytes (above 0), zeroed, on whole pages on the calling thread's node; nullptr if there is no memory.
[[nodiscard]] void* map(std::size_t bytes) noexcept;
// Moves the pages of such memory to the calling thread's node. Other threads may use the memory meanwhile. Returns
// false if the system refuses; the memory is then usable where it is.
bool move_here(void* memory, std::size_t bytes) noexcept;
void unmap(void* memory, std::size_t bytes) noexcept;

}  // namespace teff::local_pages
