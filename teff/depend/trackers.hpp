// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a tracker by its name.
#pragma once

#include <teff/depend/names.hpp>
#include <teff/depend/tracker.hpp>

#include <cstddef>

namespace teff::depend {

// The functions of a tracker for a single object (tracker.hpp).
struct object_functions {
    void (*open)(tracked_object& object) noexcept;
    void (*close)(tracked_object& object) noexcept;
    bool (*can_start)(tracked_object& object, access_kind kind) noexcept;
    bool (*is_idle)(tracked_object& object) noexcept;
};
// By the index of the tracker's row in tracker_names.
const object_functions& functions_for_objects(std::size_t row) noexcept;

// A tracker for one graph, by the index of its row in tracker_names. The caller frees it with `delete`. nullptr: there
// is no memory. Any thread.
tracker* make_tracker(std::size_t row) noexcept;

}  // namespace teff::depend
