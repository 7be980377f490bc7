// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reason of the current wait of a thread or fiber, for the report of a deadlock or a stall (stall_report.hpp).
//
// Each stack of a fiber has a record, in its slab (fiber/fiber_stack.hpp), and so has each thread that the runtime
// knows (thread_waits.hpp). A fiber that waits, and a thread that falls asleep, writes there what it waits for, and
// clears it afterwards: nine stores to a line of its own. An operation that need not wait writes nothing. A report
// reads the records while other threads write them, so it may be wrong about a wait that begins or ends at that moment.
// Each field is a number or points to data that lives as long as the program, so a report never reads freed memory.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/strand/strand.hpp>

#include <cstdint>
#include <optional>

namespace teff {

// "the sync_var 0x1234 to be full; it was made at main.cpp:5"
struct wait_reason {
    const char* kind;                    // "sync_var"
    const char* event;                   // "to be full"
    const void* object = nullptr;        // that is awaited; nullptr: a fiber, or none
    std::uint64_t fiber = 0;             // the number of the awaited fiber; 0: none
    site made = {};                      // where it was made or started; without a line if that is not known
    bool is_for_tasks = false;           // whether only tasks or fibers can end it; any thread may end other waits
    const running_task* task = nullptr;  // the innermost task of a group that the thread runs; nullptr: none
};

// If all fields are zero, nothing waits.
class wait_record {
public:
    // fiber: the number of the fiber that waits; 0: a thread waits. name: the fiber's; nullptr: none.
    void begin(const wait_reason& what, std::uint64_t fiber, const char* name) noexcept {
        // relaxed, all: a report that sees some of them is wrong about this wait only.
        fiber_.store(fiber, std::memory_order_relaxed);
        name_.store(name, std::memory_order_relaxed);
        event_.store(what.event, std::memory_order_relaxed);
        object_.store(what.object, std::memory_order_relaxed);
        awaited_fiber_.store(what.fiber, std::memory_order_relaxed);
        made_.store(what.made, std::memory_order_relaxed);
        is_for_tasks_.store(what.is_for_tasks, std::memory_order_relaxed);
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
    atomic<bool> is_for_tasks_;
};

// Notes a wait from construction to destruction. `in` may be nullptr.
class scoped_wait {
public:
    scoped_wait(wait_record* in, const wait_reason& what, std::uint64_t fiber = 0, const char* name = nullptr) noexcept
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

// A copy of a record, for a report.
struct noted_wait {
    std::uint64_t fiber;
    const char* name;
    wait_reason what;

    // nullopt: nothing waits.
    static std::optional<noted_wait> of(const wait_record& from) noexcept {
        // relaxed, all: see wait_record::begin().
        const char* const kind = from.kind_.load(std::memory_order_relaxed);
        if (kind == nullptr)
            return std::nullopt;
        return noted_wait{from.fiber_.load(std::memory_order_relaxed),
                          from.name_.load(std::memory_order_relaxed),
                          {.kind = kind,
                           .event = from.event_.load(std::memory_order_relaxed),
                           .object = from.object_.load(std::memory_order_relaxed),
                           .fiber = from.awaited_fiber_.load(std::memory_order_relaxed),
                           .made = from.made_.load(std::memory_order_relaxed),
                           .is_for_tasks = from.is_for_tasks_.load(std::memory_order_relaxed)}};
    }
};

}  // namespace teff
