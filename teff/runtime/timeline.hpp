// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the runtime records what its threads do (teff/timeline.hpp). A thread notes only changes of its activity, all of
// which are where it has run dry, joins or sleeps. So a timeline costs nothing per task, and while it is off it costs a
// comparison at these places.
//
// Each thread has a record of its own with a mutex, which only the writer of the file contends for. Records are never
// freed: threads may still run while the process exits, after the file was written.
#pragma once

#include <teff/runtime/stretches.hpp>
#include <teff/timeline.hpp>

namespace teff {

// Reads the option, and opens the file to see that it can be written. Called once, before any thread records.
void begin_timeline() noexcept;
// Before and after a fork(): while it happens no thread writes the file, so the child has no unwritten part of it.
void hold_timeline() noexcept;
void release_timeline() noexcept;
// Nothing is recorded in the child, and nothing written.
void end_timeline_in_child() noexcept;

// Does not change after begin_timeline(), except in the child of a fork(), which has one thread.
bool timeline_is_on() noexcept;

// From now on the calling thread does `what`. Returns what it did before.
activity begin_activity(activity what) noexcept;

// What the thread does from construction to destruction; then it goes on with what it did before.
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

}  // namespace teff
