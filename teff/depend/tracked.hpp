// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The objects, tasks and accesses that dependence trackers work on, and which accesses must be ordered (Vandierendonck,
// Tzenakis, Nikolopoulos, TACO 2013, sections 2.2 and 3.2). A front end embeds them in its own objects and tasks. Each
// has room for the state of the chosen tracker ("metadata" of an object and "tags" of an argument in section 4).
//
// A generation is a series of tasks, one after the other in program order, that access an object in the same way and
// may run in any order. All tasks of a generation must have ended before one of the next generation starts:
//
//                  in   out   inout   commutative   concurrent     the next task
//   in           joins    new    new         new            new
//   out            new    new    new         new            new    a new generation of one task
//   inout          new    new    new         new            new    a new generation of one task
//   commutative    new    new    new       joins            new    one at a time: the front end's part
//   concurrent     new    new    new         new          joins    at once: reductions, and OpenMP's inoutset
#pragma once

#include <teff/base/atomic.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace teff::depend {

enum class access_kind : unsigned char { in, out, inout, commutative, concurrent };

// Whether a task with the access `next` belongs to the generation of the tasks with the access `youngest` before it.
constexpr bool joins(access_kind youngest, access_kind next) noexcept {
    return next == youngest && next != access_kind::out && next != access_kind::inout;
}

class tracker;
struct tracked_task;

// Memory for one value whose type depends on the tracker.
template <std::size_t Size>
class state_room {
public:
    // Called in this order: make, any number of as, destroy.
    template <class State>
    State& make() noexcept {
        static_assert(sizeof(State) <= Size && alignof(State) <= alignof(void*));
        return *::new (static_cast<void*>(bytes_.data())) State();
    }
    template <class State>
    State& as() noexcept {
        return *std::launder(reinterpret_cast<State*>(bytes_.data()));
    }
    template <class State>
    const State& as() const noexcept {
        return *std::launder(reinterpret_cast<const State*>(bytes_.data()));
    }
    template <class State>
    void destroy() noexcept {
        std::destroy_at(&as<State>());
    }

private:
    alignas(void*) std::array<std::byte, Size> bytes_;
};

// An object without its value: the state that its tracker keeps for it.
struct tracked_object {
    tracked_object() noexcept = default;
    tracked_object(const tracked_object&) = delete;
    tracked_object& operator=(const tracked_object&) = delete;

    state_room<56> state;
};

// An access of a task to an object. The accesses of a task are an array, and their objects are distinct.
struct tracked_access {
    tracked_object* object = nullptr;
    tracked_task* task = nullptr;
    access_kind kind = access_kind::in;
    // for the front end
    bool keeps_object = false;
    bool overwrites = false;
    void* data = nullptr;
    state_room<32> state;
};

struct tracked_task {
    tracked_task(tracked_access* first, unsigned count) noexcept : accesses(first), access_count(count) {}
    tracked_task(const tracked_task&) = delete;
    tracked_task& operator=(const tracked_task&) = delete;

    // constant once issued
    tracked_access* const accesses;
    const unsigned access_count;
    unsigned issued = 0;  // accesses that issue() has registered: all, unless there was no memory
    // The number of reasons to wait: earlier tasks, generations, or accesses, as the tracker counts them; and one more
    // during issue().
    atomic<unsigned> incoming{1};
    // the next task in a list of ready tasks
    tracked_task* next = nullptr;
    state_room<24> state;
};

// Ready tasks, in the order in which they became ready. Belongs to one thread.
class ready_list {
public:
    bool empty() const noexcept { return first_ == nullptr; }
    bool has_one() const noexcept { return first_ != nullptr && first_->next == nullptr; }
    void push(tracked_task& ready) noexcept {
        ready.next = nullptr;
        (first_ == nullptr ? first_ : last_->next) = &ready;
        last_ = &ready;
    }
    // nullptr if there is none.
    tracked_task* pop() noexcept {
        tracked_task* const oldest = first_;
        if (oldest != nullptr)
            first_ = std::exchange(oldest->next, nullptr);
        return oldest;
    }
    // One of the reasons for which `waiting` waits has ended.
    void count_down(tracked_task& waiting) noexcept {
        // release: what the tasks that we release did; acquire: the same of the threads that counted down before us.
        // Both pair with this operation of other threads, and the last one makes the task ready.
        if (waiting.incoming.fetch_sub(1, std::memory_order_acq_rel) == 1)
            push(waiting);
    }

private:
    tracked_task* first_ = nullptr;
    tracked_task* last_ = nullptr;
};

}  // namespace teff::depend
