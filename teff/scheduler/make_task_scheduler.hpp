// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The task schedulers by kind.
#pragma once

#include <teff/scheduler/hunger.hpp>
#include <teff/scheduler/settings.hpp>

#include <cstddef>

namespace teff {

class task_scheduler;

// The one that settings.kind names, for items of that size and alignment. Throws std::bad_alloc. Any thread.
task_scheduler* make_task_scheduler(const scheduler_settings& settings, hunger& idle, std::size_t payload_size,
                                    std::size_t payload_alignment);
void destroy_task_scheduler(task_scheduler*) noexcept;

}  // namespace teff
