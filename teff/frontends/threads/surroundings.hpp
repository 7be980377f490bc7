// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of Chapel's blocks are around the code that runs: on a fiber, and in the tasks that were made there
// (runtime/enclosing.hpp). Only the thread that runs a strand accesses the strand's.
#pragma once

#include <teff/runtime/enclosing.hpp>

namespace teff::threads {

class sync_block;

struct surroundings {
    sync_block* block = nullptr;  // the innermost sync block, also one that began on another fiber; nullptr: none
    bool is_serial = false;       // inside a serial block: begin, cobegin and coforall start no fibers
};

// Of the calling code. On other threads, in another team that was entered inside, and in a reduction, there are no
// blocks around.
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
