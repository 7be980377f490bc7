// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Chapel blocks (sync, serial) that enclose the running code, on a fiber and in the tasks that were made there
// (strand/strand.hpp). Only the thread that runs a strand accesses the strand's entry.
#pragma once

#include <teff/strand/strand.hpp>

namespace teff::threads {

class sync_block;

struct surroundings {
    sync_block* block = nullptr;  // the innermost sync block, also one that began on another fiber; nullptr: none
    bool is_serial = false;       // inside a serial block: begin, cobegin and coforall start no fibers
};

// The blocks around the calling code. There are none on a thread that runs no fiber, in another team that was entered
// inside a block, and in a reduction.
surroundings surroundings_here() noexcept;

// For the scope of a block on a fiber.
class scoped_surroundings {
public:
    explicit scoped_surroundings(const surroundings& inside) noexcept;
    ~scoped_surroundings() { here_ = before_; }
    scoped_surroundings(const scoped_surroundings&) = delete;
    scoped_surroundings& operator=(const scoped_surroundings&) = delete;

private:
    enclosing& here_;
    const enclosing before_;
};

}  // namespace teff::threads
