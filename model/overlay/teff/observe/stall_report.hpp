// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces teff/observe/stall_report.hpp in the model build: the checker finds a deadlock itself.
#pragma once

#include <teff/strand/wait_reason.hpp>

#include <cstddef>
#include <span>

namespace teff {

struct wait_listener {
    bool (*find)(bool (*visit)(const noted_wait& wait, const void* fiber, void* argument) noexcept,
                 void* argument) noexcept;
    std::size_t (*calls_of)(const void* fiber, std::span<void*> calls) noexcept;
};

inline bool has_waits() noexcept { return false; }
inline bool has_deadlock() noexcept { return false; }
inline void report_deadlock() noexcept {}
inline bool report_stall() noexcept { return false; }

}  // namespace teff
