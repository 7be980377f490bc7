// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scheduler over items of type T (scheduler.hpp) on one of the task schedulers. Values are put into descriptors; if
// T is `task_header*`, the queues hold the tasks themselves, wherever their memory is.
//
// The settings say which task scheduler is used. All of them share this class, and so share the code that is compiled
// at a call.
#pragma once

#include <teff/base/light_standard.hpp>
#include <teff/scheduler/scheduler.hpp>
#include <teff/scheduler/task_scheduler.hpp>

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace teff {

template <class T>
class task_scheduler_for {
    static constexpr bool holds_tasks = std::is_same_v<T, task_header*>;
    // A descriptor's payload; tasks need no descriptor.
    static constexpr std::size_t payload_size = holds_tasks ? 0 : sizeof(T);

public:
    class local;
    static constexpr bool counts_items = true;

    // Throws std::bad_alloc.
    task_scheduler_for(const scheduler_settings& settings, idle_tracker& idle)
        : core_(settings.make(settings, idle, payload_size, alignof(T))) {}
    // Destroys the items that are left.
    ~task_scheduler_for() {
        for (unsigned slot = 0; slot < core_->used_slots(); ++slot) {
            if (core_->was_entered(slot))
                local(*core_, slot).drop_all_found();
        }
        delete core_;
    }
    task_scheduler_for(const task_scheduler_for&) = delete;
    task_scheduler_for& operator=(const task_scheduler_for&) = delete;

    local enter(unsigned slot, unsigned worker) {
        if (!core_->enter(slot, worker))
            throw std::bad_alloc();
        return local(*core_, slot);
    }
    void leave(const local& member) noexcept { core_->leave(member.slot_); }

    bool finished() const noexcept { return core_->finished(); }
    bool has_found_end() const noexcept { return core_->has_found_end(); }
    bool has_visible_work() const noexcept { return core_->has_visible_work(); }
    bool has_work_for(unsigned slot) const noexcept { return core_->has_work_for(slot); }
    std::size_t queued_estimate() const noexcept { return core_->queued_estimate(); }
    // Nothing to do: members check for idle workers at each operation.
    void request() noexcept {}
    void cancel() noexcept { core_->cancel(); }
    void orphan() noexcept { core_->orphan(); }

private:
    task_scheduler* const core_;
};

// The member's cursor.
template <class T>
class task_scheduler_for<T>::local {
public:
    T* claim() noexcept {
        if (core_->is_stopped())
            return nullptr;
        task_header* const claimed = core_->claim(slot_);
        return claimed == nullptr ? nullptr : item_of(*core_, slot_, *claimed);
    }
    void release([[maybe_unused]] T* item) noexcept {
        if constexpr (holds_tasks) {
            core_->release(slot_);
        } else {
            end_life(item);
            core_->release(slot_, task_descriptor::of_payload(item, alignof(T)));
        }
    }

    // For tasks: whether the member may push another one while `pending` tasks that it made have not run.
    bool admits(std::size_t pending) noexcept
        requires holds_tasks
    {
        return core_->admits(slot_, pending);
    }
    template <class Given>
    bool try_push(Given&& item) {
        if (core_->is_stopped())
            return false;
        if constexpr (holds_tasks) {
            core_->push(slot_, *item);
            return true;
        } else {
            return push_made(*core_, slot_, core_->make(slot_), std::forward<Given>(item));
        }
    }
    // After try_push() failed: the item was refused, or the team is stopped and the item is dropped.
    bool push_slow(T& item) {
        if (!core_->is_stopped())
            return false;
        [[maybe_unused]] const T dropped(std::move(item));
        return true;
    }
    void push_overflow(T& item) {
        if constexpr (holds_tasks)
            core_->push_overflow(slot_, *item);
        else
            push_overflow_value(item);
    }

    T* refill() noexcept {
        // Counts the last claimed item if its move threw, since ran_one() was not called for it.
        ran_one();
        if (core_->is_stopped())
            drop_all();
        return claim();
    }
    void ran_one() noexcept { core_->ran_one(slot_); }
    void retire() noexcept { core_->retire(slot_); }
    slot_counts counted() const noexcept { return core_->counted(slot_); }

    bool steal() noexcept {
        if (!core_->is_stopped())
            return core_->steal(slot_);
        drop_all_found();
        core_->notify_if_finished();
        return false;
    }

    void drop_all() noexcept {
        ran_one();
        while (task_header* const left = core_->claim(slot_)) {
            release(item_of(*core_, slot_, *left));
            ran_one();
        }
    }

private:
    friend task_scheduler_for;

    local(task_scheduler& core, unsigned slot) noexcept : core_(&core), slot_(slot) {}

    // Also drops the items of other members that it can steal, and those at vacant slots.
    void drop_all_found() noexcept {
        do
            drop_all();
        while (core_->steal(slot_));
    }

    static T* item_of(task_scheduler& core, unsigned slot, task_header& task) noexcept {
        if constexpr (holds_tasks) {
            core.claimed(slot) = &task;
            return &core.claimed(slot);
        } else {
            return std::launder(static_cast<T*>(static_cast<task_descriptor&>(task).payload(alignof(T))));
        }
    }

    void push_overflow_value(T& item) {
        task_descriptor* const made = core_->make_unbounded(slot_);
        if (made == nullptr)
            throw std::bad_alloc();
        fill(*core_, slot_, *made, std::move(item));
        core_->push_overflow(slot_, *made);
    }

    // Out of line and without the cursor, whose address must not escape.
    template <class Given>
    [[gnu::noinline]] static bool push_made(task_scheduler& core, unsigned slot, task_descriptor* made, Given&& item) {
        if (made == nullptr)
            return false;
        fill(core, slot, *made, std::forward<Given>(item));
        core.push(slot, *made);
        return true;
    }
    template <class Given>
    static void fill(task_scheduler& core, unsigned slot, task_descriptor& made, Given&& item) {
        try {
            ::new (made.payload(alignof(T))) T(std::forward<Given>(item));
        } catch (...) {
            core.take_back(slot, made);
            throw;
        }
    }

    task_scheduler* core_;
    unsigned slot_;
};

}  // namespace teff
