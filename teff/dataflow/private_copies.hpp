// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The private copies of a value that is reduced: each member of the team keeps one copy between the tasks that it runs
// (Vandierendonck et al., section 2.2).
//
//                  take, put     combine    safe together?
//   take, put         yes           -       the thread that runs the task, which is the member of that slot
//   combine                         -       when no task uses a copy
// A member that runs a task while another task waits below it on the stack takes a second, new copy. When both copies
// are put back, they are combined.
#pragma once

#include <teff/dataflow/value.hpp>

#include <cstddef>

namespace teff::dataflow {

class private_copies {
public:
    // Throws std::bad_alloc.
    private_copies(value_function value, reduction_function by, unsigned slots);
    ~private_copies();
    private_copies(const private_copies&) = delete;
    private_copies& operator=(const private_copies&) = delete;

    reduction_function reduction() const noexcept { return reduction_; }

    // A copy for a task of this slot. Throws std::bad_alloc, or what the type throws.
    void* take(unsigned slot);
    // Throws what combining throws; the copy is destroyed in any case.
    void put(unsigned slot, void* copy);
    // Adds all copies to `value`, large ones in parallel, pairwise. Destroys them.
    void combine_into(void* value);

private:
    struct alignas(64) place {
        void* copy = nullptr;
    };
    void destroy(void* copy) noexcept;
    void* combine_range(unsigned begin, unsigned end, bool in_parallel);

    const value_function value_;
    const reduction_function reduction_;
    const unsigned slots_;
    place* places_;
};

}  // namespace teff::dataflow
