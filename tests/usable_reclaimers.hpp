// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a reclaimer can be used on this machine: gc cannot where the Boehm collector is not installed.
#pragma once

#include <teff/reclaim/collector_library.hpp>

#include <string_view>

namespace teff::testing {

inline bool can_be_used([[maybe_unused]] std::string_view reclaimer) {
#if defined(TEFF_WITH_GC)
    if (reclaimer == "gc")
        return collector_obstacle() == nullptr;
#endif
    return true;
}

}  // namespace teff::testing
