// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The copies of ordered reducers that belong to a stretch of work (a strand): what a thread does from the start of an
// entry that it took to its end, or a thread outside of entries. Forks that nobody takes stay in their strand, so they
// cost nothing here and add to one copy in their order. A job that another strand runs gets a list of copies of its
// own, which is appended to the parent's where the parent joins it.
//
//   context::views -> view -> view -> nullptr      one for each reducer that the strand has used
//
// All here are the calling thread's own, and pass to another one with the end of the job or task that they belong to.
#pragma once

#include <teff/frontends/fork_join/job.hpp>

#include <cstdint>
#include <memory>

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

// Of the calling thread's strand; or nullptr.
inline view* find_view(std::uint64_t key) noexcept {
    view* each = current.views;
    while (each != nullptr && each->key != key)
        each = each->next;
    return each;
}
view& add_view(std::unique_ptr<view> made);
void drop_view(std::uint64_t key) noexcept;

// A list of views, owned.
void drop_views(view* list) noexcept;
// Appends a list to the calling thread's strand. Throws what combining throws; the rest of the list is dropped then.
void append_views(view* list);

// The calling thread runs something of another strand meanwhile.
class strand {
public:
    strand() noexcept : before_(current.views) { current.views = nullptr; }
    ~strand() { current.views = before_; }
    strand(const strand&) = delete;
    strand& operator=(const strand&) = delete;

    // At the end: what it has left.
    view* take() noexcept {
        view* const made = current.views;
        current.views = nullptr;
        return made;
    }

private:
    view* const before_;
};

}  // namespace teff::forking
