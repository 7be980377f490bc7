// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of slices of the trace, and the meaning of `what` for each kind (event_log.hpp).
#pragma once

namespace teff {

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

}  // namespace teff
