// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of ordered reducers. A view is a copy of a reducer's value. It belongs to one stretch of work: one task that a
// thread took, or a thread's work outside tasks. If no other thread takes the job of a fork, the job belongs to its
// parent's stretch: it costs nothing here, and both functions add to the same view in program order. A job that another
// thread runs gets its own list of views, which is appended to the parent's list when the parent joins the job.
//
//   strand::views -> view -> view -> nullptr      one for each reducer that the strand has used
//
// Only the thread that runs the strand accesses the list. When a job or task ends, its views pass to the thread that
// waits for it.
#pragma once

#include <teff/strand/running_strand.hpp>

#include <cstdint>
#include <memory>
#include <utility>

namespace teff::forking {

// Returns a different number for each call in a process, never 0. Any thread.
std::uint64_t unique_number() noexcept;

struct view {
    explicit view(std::uint64_t reducer) noexcept : key(reducer) {}
    view(const view&) = delete;
    view& operator=(const view&) = delete;
    virtual ~view();
    // Adds the value of `right`, a view of the same reducer that follows this one in program order.
    virtual void append(view& right) = 0;

    const std::uint64_t key;
    view* next = nullptr;
};

// The view that the running strand has of this reducer; nullptr if it has none.
inline view* find_view(std::uint64_t key) noexcept {
    view* each = running_strand().views;
    while (each != nullptr && each->key != key)
        each = each->next;
    return each;
}
view& add_view(std::unique_ptr<view> made);
void drop_view(std::uint64_t key) noexcept;

// Destroys a list of views that the caller owns.
void drop_views(view* list) noexcept;
// Appends a list that the caller owns to the views of the running strand. Throws what combining throws; the rest of the
// list is destroyed then.
void append_views(view* list);

// Waits for the tasks that the running strand has spawned, and drops its views.
inline void drop_what_strand_has() noexcept {
    strand& own_strand = running_strand();
    if (spawned_tasks* const left = std::exchange(own_strand.spawned, nullptr)) [[unlikely]]
        left->end(*left);
    drop_views(std::exchange(own_strand.views, nullptr));
}

// For the scope in which a strand runs a task: gives the task an empty list of views, an empty list of spawned tasks,
// and the enclosing tasks of the code that has made it. At the end it waits for the tasks that the task has spawned,
// and restores the strand's state.
class own_views {
public:
    explicit own_views(const enclosing& around = {}) noexcept
        : strand_(running_strand()), before_(std::exchange(strand_.views, nullptr)),
          spawned_before_(std::exchange(strand_.spawned, nullptr)),
          around_before_(std::exchange(strand_.around, around)) {}
    ~own_views() {
        end_spawned();
        strand_.views = before_;
        strand_.spawned = spawned_before_;
        strand_.around = around_before_;
    }
    own_views(const own_views&) = delete;
    own_views& operator=(const own_views&) = delete;

    // At the end of the task: returns its views, which the caller then owns.
    view* take() noexcept {
        end_spawned();
        return std::exchange(strand_.views, nullptr);
    }

private:
    void end_spawned() noexcept {
        if (spawned_tasks* const left = std::exchange(strand_.spawned, nullptr)) [[unlikely]]
            left->end(*left);
    }

    strand& strand_;
    view* const before_;
    spawned_tasks* const spawned_before_;
    const enclosing around_before_;
};

}  // namespace teff::forking
