// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What fibers and threads wait for at the moment, for the report of a deadlock.
//
// Each stack of a fiber has a record, in its slab (fiber/stack_slab.hpp), and so has each thread that has waited. A
// fiber or thread that waits writes there what it waits for, and clears it afterwards: eight stores to a line of its
// own. An operation that need not wait writes nothing. A report reads the records while others write them: a line of it
// may be wrong about a wait that begins or ends meanwhile. All that it reads is a number, or constant for the life of
// the program, so it never reads memory that is gone.
//
// It is made (runtime/stillness.hpp)
//   - at once, when every thread of the process waits here, or has nothing to do as a worker;
//   - with the option stall_report_s, when a thread has slept so long. Then the process may go on: another thread may
//     be about to wake one.
// The process may have threads of which the runtime knows nothing, and each of them may end a wait at any time. So a
// deadlock is said only if there are none.
#pragma once

#include <teff/base/atomic.hpp>

#include <cstdint>

namespace teff::threads {

// "the sync_var 0x1234 to be full; it was made at main.cpp:5"
struct awaited {
    const char* kind;              // "sync_var"
    const char* event;             // "to be full"
    const void* object = nullptr;  // or, of a fiber,
    std::uint64_t fiber = 0;       // its number
    site made = {};                // where it was made or started; without a line if that is not known
};

// All zero: nothing waits.
class wait_record {
public:
    // fiber: the number of the one that waits; 0: a thread does. name: of the fiber; nullptr: it has none.
    void begin(const awaited& what, std::uint64_t fiber, const char* name) noexcept {
        // relaxed, all: a report that sees some of them is wrong about this wait only.
        fiber_.store(fiber, std::memory_order_relaxed);
        name_.store(name, std::memory_order_relaxed);
        event_.store(what.event, std::memory_order_relaxed);
        object_.store(what.object, std::memory_order_relaxed);
        awaited_fiber_.store(what.fiber, std::memory_order_relaxed);
        made_.store(what.made, std::memory_order_relaxed);
        kind_.store(what.kind, std::memory_order_relaxed);
    }
    void end() noexcept { kind_.store(nullptr, std::memory_order_relaxed); }  // relaxed: as above

private:
    friend struct noted_wait;

    atomic<std::uint64_t> fiber_;
    atomic<const char*> name_;
    atomic<const char*> kind_;  // nullptr: does not wait
    atomic<const char*> event_;
    atomic<const void*> object_;
    atomic<std::uint64_t> awaited_fiber_;
    atomic<site> made_;
};

// For the time of a wait. `in` may be nullptr.
class scoped_wait {
public:
    scoped_wait(wait_record* in, const awaited& what, std::uint64_t fiber = 0, const char* name = nullptr) noexcept
        : in_(in) {
        if (in_ != nullptr)
            in_->begin(what, fiber, name);
    }
    ~scoped_wait() {
        if (in_ != nullptr)
            in_->end();
    }
    scoped_wait(const scoped_wait&) = delete;
    scoped_wait& operator=(const scoped_wait&) = delete;

private:
    wait_record* const in_;
};

// The calling thread's, for waits of no fiber. From then on a deadlock takes the thread into account. nullptr: there is
// no memory.
wait_record* own_wait_record() noexcept;

}  // namespace teff::threads
