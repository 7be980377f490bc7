// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The objects, tasks and accesses that dependence trackers work on. A front end embeds them in its own objects and
// tasks. Each has room for the state of the chosen tracker ("metadata" of an object and "tags" of an argument in
// Vandierendonck et al., section 4).
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/depend/access.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace teff::depend {

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
