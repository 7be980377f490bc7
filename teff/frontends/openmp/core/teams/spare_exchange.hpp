// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches of spare blocks (tasks/task_memory.hpp) that the threads of a team pass to each other. Where one thread makes
// the tasks and another one ends them, blocks come back this way. Without it each of them would be freed by a thread
// that did not allocate it, and the threads would wait for each other at the allocator's lock.
//
//           put    take    safe together?
//   put     yes    yes     any thread of the team
//   take           yes
// A batch is a list of spare_exchange::batch blocks. It lies in a slot, which the two threads empty and fill by one
// operation each, so no block is seen by two threads, and a batch that comes back is no danger (no ABA). Neither
// operation waits. Both give up after one look at every slot; the caller then uses the allocator.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/base/shared_data.hpp>

namespace teff::openmp {

struct deferred_task;

class alignas(false_sharing_range) spare_exchange {
public:
    static constexpr unsigned batch = 32;
    static constexpr unsigned slots = 16;

    // Offers the batch that begins with this block. False: there was no empty slot, and the caller keeps it.
    bool put(deferred_task& first) noexcept {
        sanitizers::happens_before(&first);
        for (atomic<deferred_task*>& slot : slots_) {
            deferred_task* seen = slot.load(std::memory_order_relaxed);  // relaxed: a hint
            // release: publishes the list; partner: the acquire in take(). relaxed on failure: nothing is read.
            if (seen == nullptr && slot.compare_exchange_strong(seen, &first, std::memory_order_release,
                                                                std::memory_order_relaxed))
                return true;
        }
        return false;
    }
    // The first block of a batch, which is the caller's now; nullptr: there was none.
    deferred_task* take() noexcept {
        for (atomic<deferred_task*>& slot : slots_) {
            if (slot.load(std::memory_order_relaxed) == nullptr)  // relaxed: a hint
                continue;
            // acquire: sees the list; partner: the release in put().
            if (deferred_task* const first = slot.exchange(nullptr, std::memory_order_acquire)) {
                sanitizers::happens_after(first);
                return first;
            }
        }
        return nullptr;
    }
    // A hint: whether put() would have looked in vain.
    bool is_full() const noexcept {
        for (const atomic<deferred_task*>& slot : slots_)
            if (slot.load(std::memory_order_relaxed) == nullptr)  // relaxed: a hint
                return false;
        return true;
    }

private:
    atomic<deferred_task*> slots_[slots]{};
};

}  // namespace teff::openmp
