// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records what the runtime's threads do (teff/timeline.hpp). Each thread has two records:
//
//   activities   what the thread does, and since when: it works, searches, sleeps or waits. Noted only where it runs
//                dry, joins or sleeps, so this costs nothing per task. Kept for the whole run, in outline
//                (stretches.hpp)
//   events       slices with a name: tasks that were queued, regions, stretches of a reduction, labels, and each
//                activity but work; and each successful search. Kept until the budget is used up (event_log.hpp)
//
// While the trace is off, both cost one comparison where activities are noted, and nothing in the path of a task: there
// a member compares one word for both, whether to trace and whether to count its tasks (task_member_of::run).
//
// Records are never freed: threads may still run while the process exits, after the file was written.
#pragma once

#include <teff/observe/stretches.hpp>
#include <teff/timeline.hpp>

#include <cstdint>

namespace teff {

// The kinds of slices, and the meaning of `what` for each kind (event_log.hpp).
enum class slice_kind : unsigned char {
    task,         // the address of its function, or of the function that runs it
    reduction,    // a run of items; the virtual table of its team
    region,       // the address of the region's function
    call,         // the address of the function that execute() calls
    activity,     // nullptr; the event's detail is the activity
    steal,        // nullptr; an instant at which a search has found something
    label,        // the user's text
    moving_label  // the same; its fiber was left while the label was open
};

constexpr bool is_label(slice_kind kind) noexcept {
    return kind == slice_kind::label || kind == slice_kind::moving_label;
}

struct task_header;
struct thread_record;

// Reads the options, and opens the file to check that it can be written. Called once, before any thread records.
void begin_timeline() noexcept;
// Makes sure that begin_timeline() was called. The pool defines this; it reads all options at its first use.
void ensure_timeline_has_begun() noexcept;
// Call before and after a fork(): in between no thread writes the file, so the child inherits no unwritten part of it.
void hold_timeline() noexcept;
void release_timeline() noexcept;
// For the child of a fork(): from now on it records and writes nothing.
void end_timeline_in_child() noexcept;

// Neither changes after begin_timeline(), except in the child of a fork(), which has one thread.
bool timeline_is_on() noexcept;
bool events_are_on() noexcept;

// Notes that the calling thread does `what` from now on. Returns its activity before.
activity begin_activity(activity what) noexcept;
// Notes that the calling thread has ended a search. tried: its attempts to steal; found: whether it has found a task.
void note_search(std::uint64_t tried, bool found) noexcept;

// An open slice: the record of its thread (nullptr: the slice is not recorded), and the number of slices around it.
struct slice_mark {
    thread_record* record = nullptr;
    unsigned depth = 0;
};
// Open and close a slice of the calling thread. end_slice() also closes the slices that are still open inside, without
// recording them. own_slice() is the mark of the thread's outermost slice.
slice_mark begin_slice(slice_kind kind, const void* what) noexcept;
void end_slice(slice_mark opened) noexcept;
slice_mark own_slice() noexcept;

// The user's function that a task or region runs, which gives the slice its name; nullptr: the function that the team
// calls identifies it. Defined by front ends that run all tasks by one function. Weak, since a program may lack such a
// front end.
[[gnu::weak]] const void* traced_function_of(const task_header& task) noexcept;
[[gnu::weak]] const void* traced_function_of_region(void (*body)(void*, unsigned, unsigned) noexcept,
                                                    const void* argument) noexcept;

// Sets the calling thread's activity; the destructor restores the activity before.
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
