// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of slices of the trace, and the meaning of `what` for each kind (event_log.hpp).
#pragma once

namespace teff {

enum class slice_kind : unsigned char {
    task,         // the address of its function, or of the function that runs it
    reduction,    // the virtual table of its team: a stretch of items
    region,       // the address of the region's function
    call,         // that of the function that execute() calls
    activity,     // nullptr; the event's detail is the activity
    steal,        // nullptr: an instant; a search has found something
    label,        // the user's text
    moving_label  // the same, of a fiber that has been left meanwhile
};

constexpr bool is_label(slice_kind kind) noexcept {
    return kind == slice_kind::label || kind == slice_kind::moving_label;
}

}  // namespace teff
