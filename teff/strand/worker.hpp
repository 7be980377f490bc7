// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the runtime knows about the calling thread: its number and the teams that it is working in.
//
// After user code has run, call this_thread() again. It is out of line, so that no compiler keeps the address of a
// thread-local variable across a point where the code may continue on another thread.
#pragma once

namespace teff {

class work_source;  // pool/

// One entry for each team that the thread is working in, innermost first; on the thread's stack.
struct membership {
    work_source* source;
    membership* outer;
};

struct thread_state {
    unsigned worker = 0;  // 0: not a worker of the pool; else 1, 2, ...
    membership* innermost = nullptr;
    work_source* session = nullptr;  // a team that stays open while the thread is in none of its tasks
    bool is_counted = false;         // whether its sleeps are counted (quiescence.hpp)
};

thread_state& this_thread() noexcept;

class scoped_membership {
public:
    explicit scoped_membership(work_source& source) noexcept : entry_{&source, this_thread().innermost} {
        this_thread().innermost = &entry_;
    }
    ~scoped_membership() { this_thread().innermost = entry_.outer; }
    scoped_membership(const scoped_membership&) = delete;
    scoped_membership& operator=(const scoped_membership&) = delete;

private:
    membership entry_;
};

}  // namespace teff
