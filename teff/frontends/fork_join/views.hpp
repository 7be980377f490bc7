// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The copies of ordered reducers that belong to a stretch of work: what a thread does from the start of a task that it
// took to its end, or a thread outside of tasks. Forks that nobody takes stay in their stretch, so they cost nothing
// here and add to one copy in their order. A job that another thread runs gets a list of copies of its own, which is
// appended to the parent's where the parent joins it.
//
//   strand::views -> view -> view -> nullptr      one for each reducer that the strand has used
//
// All here belong to the thread that runs the strand, and pass to another one with the end of the job or task that they
// belong to.
#pragma once

#include <teff/runtime/running_strand.hpp>

#include <cstdint>
#include <memory>
#include <utility>

namespace teff::forking {

// Never twice the same in a process, and never 0. Any thread.
std::uint64_t unique_number() noexcept;

struct view {
    explicit view(std::uint64_t reducer) noexcept : key(reducer) {}
    view(const view&) = delete;
    view& operator=(const view&) = delete;
    virtual ~view();
    // Combines with one of the same reducer that comes behind in order.
    virtual void append(view& right) = 0;

    const std::uint64_t key;
    view* next = nullptr;
};

// The copy of the strand that runs; nullptr if it has none.
inline view* find_view(std::uint64_t key) noexcept {
    view* each = running_strand().views;
    while (each != nullptr && each->key != key)
        each = each->next;
    return each;
}
view& add_view(std::unique_ptr<view> made);
void drop_view(std::uint64_t key) noexcept;

// A list of views, owned.
void drop_views(view* list) noexcept;
// Appends a list to those of the strand that runs. Throws what combining throws; the rest of the list is dropped then.
void append_views(view* list);

// While the strand runs a task, whose copies are its own.
class own_views {
public:
    own_views() noexcept : strand_(running_strand()), before_(std::exchange(strand_.views, nullptr)) {}
    ~own_views() { strand_.views = before_; }
    own_views(const own_views&) = delete;
    own_views& operator=(const own_views&) = delete;

    // At the end: what the task has left.
    view* take() noexcept { return std::exchange(strand_.views, nullptr); }

private:
    strand& strand_;
    view* const before_;
};

}  // namespace teff::forking
