// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Creates a scheduler on task descriptors from its class. Apart from schedulers.hpp, so that no other source
// instantiates it. The source of each such scheduler ends with
//
//   template struct on_descriptors<ITS_CLASS>;
//
// so that only the scheduler's row and its own source know the class.
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/scheduler/schedulers.hpp>
#include <teff/scheduler/task_scheduler.hpp>

#include <new>

namespace teff {

template <class Core>
task_scheduler* on_descriptors<Core>::make(const scheduler_settings& settings, idle_tracker& idle,
                                           std::size_t payload_size, std::size_t payload_alignment) {
    task_scheduler* const made = create<Core>(settings, idle, payload_size, payload_alignment);
    if (made == nullptr)
        throw std::bad_alloc();
    return made;
}

}  // namespace teff
