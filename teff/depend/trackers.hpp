// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a tracker by its name.
#pragma once

#include <teff/depend/names.hpp>
#include <teff/depend/tracker.hpp>

#include <cstddef>

namespace teff::depend {

// A tracker for one graph, by the index of its row in tracker_names. The caller frees it with `delete`. nullptr: there is
// no memory. Any thread.
tracker* make_tracker(std::size_t row) noexcept;

}  // namespace teff::depend
