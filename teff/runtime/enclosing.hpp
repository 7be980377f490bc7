// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is around the code that a strand runs: Chapel's blocks (frontends/threads/surroundings.hpp). A task gets it from
// the code that makes the task, whatever thread runs it.
//
// The second function of a fork ends inside the block, since the fork does. Another task may end later than the code
// that has made it, so it is a part of the block, which waits for it.
#pragma once

namespace teff {

// A sync_block (frontends/threads/sync_block.hpp).
struct enclosing_block {
    void (*const begin_part)(enclosing_block& self) noexcept;
    void (*const end_part)(enclosing_block& self) noexcept;
};

struct enclosing {
    enclosing_block* block = nullptr;  // the innermost one; nullptr: none
    bool is_serial = false;            // inside a serial block
};

}  // namespace teff
