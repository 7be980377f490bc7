// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the runtime records what its threads do (teff/timeline.hpp). There are two records of a thread:
//
//   activities   what it does from when on: works, searches, sleeps, waits. Noted only where it has run dry, joins or
//                sleeps, so this costs nothing per task. Kept for the whole run, in outline (stretches.hpp)
//   events       slices with a name: tasks that were queued, regions, stretches of a reduction, labels, and each
//                activity but work; and what searches have found. Kept until their budget is used up (event_log.hpp)
//
// While the trace is off, both cost a comparison at the places of the first, and nothing on the way of a task: a member
// of a team compares the same word that tells it whether to count its tasks (task_member_of::run).
//
// Records are never freed: threads may still run while the process exits, after the file was written.
#pragma once

#include <teff/observe/slice_kind.hpp>
#include <teff/observe/stretches.hpp>
#include <teff/timeline.hpp>

#include <cstdint>

namespace teff {

struct task_header;
struct thread_record;

// Reads the options, and opens the file to see that it can be written. Called once, before any thread records.
void begin_timeline() noexcept;
// Makes sure that it was. The pool defines it, and reads all options at its first use.
void ensure_timeline_has_begun() noexcept;
// Before and after a fork(): while it happens no thread writes the file, so the child has no unwritten part of it.
void hold_timeline() noexcept;
void release_timeline() noexcept;
// Nothing is recorded in the child, and nothing written.
void end_timeline_in_child() noexcept;

// Neither changes after begin_timeline(), except in the child of a fork(), which has one thread.
bool timeline_is_on() noexcept;
bool events_are_on() noexcept;

// From now on the calling thread does `what`. Returns what it did before.
activity begin_activity(activity what) noexcept;
// The calling thread has ended a search; found: whether it has found something.
void note_search(std::uint64_t tried, bool found) noexcept;

// A slice that is open: the record of its thread (nullptr: it is not recorded), and the number of slices around it.
struct slice_mark {
    thread_record* record = nullptr;
    unsigned depth = 0;
};
// Open and close a slice of the calling thread. Slices that were begun meanwhile and not ended are closed with it,
// unrecorded. own_slice() is the mark of the thread's outermost slice.
slice_mark begin_slice(slice_kind kind, const void* what) noexcept;
void end_slice(slice_mark opened) noexcept;
slice_mark own_slice() noexcept;

// Which function of the user a task or region runs, for its name; nullptr: the one that the team calls tells it. Front
// ends define them whose tasks are all run by one function. Weak, since a program need not have such a front end.
[[gnu::weak]] const void* traced_function_of(const task_header& task) noexcept;
[[gnu::weak]] const void* traced_function_of_region(void (*body)(void*, unsigned, unsigned) noexcept,
                                                    const void* argument) noexcept;

// Sets the thread's activity from construction to destruction, and then restores the activity before.
class scoped_activity {
public:
    explicit scoped_activity(activity what, bool is_on = timeline_is_on()) noexcept : is_on_(is_on) {
        if (is_on_) [[unlikely]]
            before_ = begin_activity(what);
    }
    ~scoped_activity() {
        if (is_on_) [[unlikely]]
            begin_activity(before_);
    }
    scoped_activity(const scoped_activity&) = delete;
    scoped_activity& operator=(const scoped_activity&) = delete;

private:
    const bool is_on_;
    activity before_ = activity::outside;
};

class scoped_slice {
public:
    scoped_slice(slice_kind kind, const void* what, bool is_on = events_are_on()) noexcept : is_on_(is_on) {
        if (is_on_) [[unlikely]]
            opened_ = begin_slice(kind, what);
    }
    ~scoped_slice() {
        if (is_on_) [[unlikely]]
            end_slice(opened_);
    }
    scoped_slice(const scoped_slice&) = delete;
    scoped_slice& operator=(const scoped_slice&) = delete;

private:
    const bool is_on_;
    slice_mark opened_;
};

}  // namespace teff
