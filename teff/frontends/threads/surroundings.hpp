// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of Chapel's blocks are around the code that a fiber runs. Only the fiber accesses its own.
#pragma once

namespace teff::threads {

class sync_block;

struct surroundings {
    sync_block* block = nullptr;  // the innermost sync block, also one that began on another fiber; nullptr: none
    bool is_serial = false;       // inside a serial block: begin, cobegin and coforall start no fibers
};

// Of the fiber that the calling code runs on. On other threads, and where a fiber cannot be left (fiber_state.hpp),
// there are no blocks around.
surroundings surroundings_here() noexcept;

// For the scope of a block on a fiber.
class scoped_surroundings {
public:
    explicit scoped_surroundings(const surroundings& inside) noexcept;
    ~scoped_surroundings() { here_ = before_; }
    scoped_surroundings(const scoped_surroundings&) = delete;
    scoped_surroundings& operator=(const scoped_surroundings&) = delete;

private:
    surroundings& here_;
    const surroundings before_;
};

}  // namespace teff::threads
